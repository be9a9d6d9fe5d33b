// Package build knows which build of the source a program is.
package build

import "runtime/debug"

// version is set by scripts/release; other builds say which commit they are of.
var version string

// Version returns the release that this program belongs to, such as "1.1.0"; of
// a build that is no release "devel" with, where Go knows it, the commit: such as
// "devel-9548e8d01c2b", with "+changes" when the tree differed from it.
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return ofCommit(info.Settings)
}

// commitDigits are enough to find a commit by.
const commitDigits = 12

func ofCommit(settings []debug.BuildSetting) string {
	commit, changes := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= commitDigits:
			commit = "-" + s.Value[:commitDigits]
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = "+changes"
		}
	}
	if commit == "" {
		return "devel"
	}
	return "devel" + commit + changes
}
