// Package deploycheck holds the deployment files against their schemas: the
// types of Kubernetes and KEDA, the Compose specification, Prometheus' own
// rules. It is a module of its own because these are large and no program
// needs them.
package deploycheck
