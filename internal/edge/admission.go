package edge

// This file: how many requests run at once (D7.5).

// admit refuses what the service cannot serve in time: quickly, so that the
// requests that run get their answer. It comes after the body: callers that send
// slowly must not keep others out. What is admitted must be released.
func (s *Server) admit() bool {
	if s.inFlight == nil {
		return true
	}
	select {
	case s.inFlight <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *Server) release() {
	if s.inFlight != nil {
		<-s.inFlight
	}
}
