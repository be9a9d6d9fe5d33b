package edge

import "time"

// SetBodyPatience lets tests wait less for bodies that come slowly.
func (s *Server) SetBodyPatience(d time.Duration) { s.bodyPatience = d }
