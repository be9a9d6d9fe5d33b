package telemetry

// This file: what tests in package telemetry_test need from inside.

// Enabled is whether variables ask for traces; a test cannot set the process's
// own and run beside others.
var Enabled = enabled
