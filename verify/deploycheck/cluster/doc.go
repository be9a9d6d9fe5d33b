// Package cluster has no code: its test takes the Kubernetes manifests to a real API
// server, which verify/cluster builds.
package cluster
