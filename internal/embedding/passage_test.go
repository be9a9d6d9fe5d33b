// Tests of the passage: what is in it, in which order, and its fingerprint.

package embedding

import "testing"

func exampleVehicle() VehicleText {
	return VehicleText{
		Brand: "Caterpillar", Model: "320D L", TypeTitle: "Crawler excavator",
		Categories: []string{"Crawler excavators"}, Groups: []string{"Earthmoving"},
		Tags: []string{"earthworks", "экскаватор"},
		Params: []ParamText{
			{Name: "Operating weight", Value: "21.7", Unit: "t"},
			{Name: "Attachments", Value: "hydraulic breaker"},
			{Name: "Operator included", Value: "true", Boolean: true},
			{Name: "Enclosed cab", Value: "false", Boolean: true},
		},
		ReleaseYear: 2011,
	}
}

func TestPassage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		give VehicleText
		want string
	}{
		{"everything", exampleVehicle(), "Caterpillar 320D L, Crawler excavator\n" +
			"Crawler excavators, Earthmoving\n" +
			"earthworks, экскаватор\n" +
			"Operating weight 21.7 t; Attachments hydraulic breaker; Operator included\n" +
			"Year 2011"},
		{"least", VehicleText{Brand: "JCB", Model: "3CX", TypeTitle: "Backhoe loader"}, "JCB 3CX, Backhoe loader"},
		{"lines keep their places", VehicleText{Brand: "JCB", Model: "3CX", ReleaseYear: 2020}, "JCB 3CX\n\n\n\nYear 2020"},
		{"repeated names count once", VehicleText{
			Brand: "A", Model: "B", Categories: []string{"Cranes"}, Groups: []string{"cranes", "Lifting"},
			Tags: []string{"urban", "Urban"},
		}, "A B\nCranes, Lifting\nurban"},
		{"no line breaks from names", VehicleText{Brand: "A\nB", Model: " C\t D ", TypeTitle: "E\r\nF"}, "A B C D, E F"},
		{"a text that reads true", VehicleText{Brand: "A", Model: "B", Params: []ParamText{{Name: "Note", Value: "true"}}}, "A B\n\n\nNote true"},
		{"a parameter without value", VehicleText{Brand: "A", Model: "B", Params: []ParamText{{Name: "Note", Value: " "}}}, "A B"},
		{"nothing", VehicleText{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Passage(tt.give); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	base := Fingerprint("m", "text")
	if base != Fingerprint("m", "text") {
		t.Error("not deterministic")
	}
	if len(base) != 64 {
		t.Errorf("%d characters, want 64", len(base))
	}
	for _, other := range []string{Fingerprint("m2", "text"), Fingerprint("m", "text2"), Fingerprint("mt", "ext")} {
		if other == base {
			t.Error("another model or passage has the same fingerprint")
		}
	}
}
