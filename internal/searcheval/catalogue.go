// Catalogues as the search sees them: vehicles with the texts that passages are
// made of, the judged queries, and queries that nothing answers.

package searcheval

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"equipment-platform/internal/embedding"
)

// Catalogue is the machines of one catalogue.
type Catalogue struct {
	Vehicles []Vehicle
}

// Vehicle is one machine of the catalogue.
type Vehicle struct {
	Key      string
	Type     string // key of its type
	IsActive bool   // its own flag and its type's
	Text     embedding.VehicleText
}

// Active gives the vehicles that the public can see, in the order of the file.
func (c *Catalogue) Active() []Vehicle {
	return slices.DeleteFunc(slices.Clone(c.Vehicles), func(v Vehicle) bool { return !v.IsActive })
}

// ReadCatalogue reads the records of a catalogue.
func ReadCatalogue(files fs.FS) (*Catalogue, error) {
	type named struct {
		Key      string `json:"key"`
		Name     string `json:"name"`
		Group    string `json:"group"`
		IsActive bool   `json:"isActive"`
	}
	type param struct {
		Key       string `json:"key"`
		Name      string `json:"name"`
		ValueType string `json:"valueType"`
		Unit      string `json:"unit"`
	}
	type vehicleType struct {
		Key        string   `json:"key"`
		Title      string   `json:"title"`
		IsActive   bool     `json:"isActive"`
		Categories []string `json:"categories"`
		Params     []string `json:"params"`
		Tags       []string `json:"tags"`
	}
	type vehicle struct {
		Key         string                     `json:"key"`
		Type        string                     `json:"type"`
		BrandName   string                     `json:"brandName"`
		ModelName   string                     `json:"modelName"`
		ReleaseYear int                        `json:"releaseYear"`
		IsActive    bool                       `json:"isActive"`
		Params      map[string]json.RawMessage `json:"params"`
		Tags        []string                   `json:"tags"`
	}
	groups, err := read(files, "groups", func(n named) string { return n.Key })
	if err != nil {
		return nil, err
	}
	categories, err := read(files, "categories", func(n named) string { return n.Key })
	if err != nil {
		return nil, err
	}
	tags, err := read(files, "tags", func(n named) string { return n.Key })
	if err != nil {
		return nil, err
	}
	params, err := read(files, "params", func(p param) string { return p.Key })
	if err != nil {
		return nil, err
	}
	types, err := read(files, "types", func(t vehicleType) string { return t.Key })
	if err != nil {
		return nil, err
	}
	vehicles, err := readList[vehicle](files, "vehicles")
	if err != nil {
		return nil, err
	}
	out := &Catalogue{}
	for _, v := range vehicles {
		t, ok := types[v.Type]
		if !ok {
			return nil, fmt.Errorf("vehicle %s: no type %s", v.Key, v.Type)
		}
		text := embedding.VehicleText{
			Brand: v.BrandName, Model: v.ModelName, TypeTitle: t.Title, ReleaseYear: v.ReleaseYear,
		}
		for _, key := range t.Categories {
			text.Categories = append(text.Categories, categories[key].Name)
			text.Groups = append(text.Groups, groups[categories[key].Group].Name)
		}
		for _, key := range slices.Concat(t.Tags, v.Tags) {
			if tags[key].IsActive {
				text.Tags = append(text.Tags, tags[key].Name)
			}
		}
		for _, key := range t.Params {
			raw, ok := v.Params[key]
			if !ok {
				continue
			}
			p := params[key]
			value := string(raw)
			if raw[0] == '"' {
				if err := json.Unmarshal(raw, &value); err != nil {
					return nil, fmt.Errorf("vehicle %s: %w", v.Key, err)
				}
			}
			text.Params = append(text.Params, embedding.ParamText{
				Name: p.Name, Value: value, Unit: p.Unit, Boolean: p.ValueType == "BOOLEAN",
			})
		}
		out.Vehicles = append(out.Vehicles, Vehicle{
			Key: v.Key, Type: v.Type, IsActive: v.IsActive && t.IsActive, Text: text,
		})
	}
	return out, nil
}

//go:embed judgments/*.json catalogues
var own embed.FS

// Set is a catalogue with judged queries, and maybe queries that nothing in it
// answers.
type Set struct {
	Name      string
	Catalogue *Catalogue
	Judgments []Judgment
	Noise     []string
	// Unseen says that nothing was chosen because of these queries. They are not to
	// be read, so that they stay a measure.
	Unseen bool
}

// Catalogues are the judged catalogues in internal/searcheval/catalogues, the
// unseen ones first: no weight, rule or term was chosen because of those.
// docs/search.md says how the others were used.
var Catalogues = []string{"terrain", "industry", "estate"}

// ReadFolder reads a catalogue from files in the format of internal/demo:
// the records, search-judgments.json, and noise.json if there is one, a list of
// queries that nothing answers.
func ReadFolder(name string, files fs.FS) (Set, error) {
	catalogue, err := ReadCatalogue(files)
	if err != nil {
		return Set{}, fmt.Errorf("catalogue %s: %w", name, err)
	}
	set := Set{Name: name, Catalogue: catalogue}
	if set.Judgments, err = readList[Judgment](files, "search-judgments"); err != nil {
		return Set{}, fmt.Errorf("catalogue %s: %w", name, err)
	}
	set.Noise, err = readList[string](files, "noise")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Set{}, fmt.Errorf("catalogue %s: %w", name, err)
	}
	return set, nil
}

// ReadSets reads all catalogues, the unseen ones first: those of Catalogues, and
// the demo catalogue from its files with six sets of queries, of which the sixth
// is held out: its figures are shown, its queries are never read.
func ReadSets(demo fs.FS) ([]Set, error) {
	var sets []Set
	for _, name := range Catalogues {
		files, err := fs.Sub(own, "catalogues/"+name)
		if err != nil {
			return nil, err
		}
		set, err := ReadFolder(name, files)
		if err != nil {
			return nil, err
		}
		set.Unseen = name == Catalogues[0]
		sets = append(sets, set)
	}
	first, err := ReadFolder("demo", demo)
	if err != nil {
		return nil, err
	}
	judgments, err := fs.Sub(own, "judgments")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"sixth", "fifth", "fourth", "third", "second"} {
		list, err := readList[Judgment](judgments, name)
		if err != nil {
			return nil, err
		}
		sets = append(sets, Set{Name: "demo, " + name, Catalogue: first.Catalogue, Judgments: list, Unseen: name == "sixth"})
	}
	return append(sets, first), nil
}

func readList[T any](files fs.FS, name string) ([]T, error) {
	raw, err := fs.ReadFile(files, name+".json")
	if err != nil {
		return nil, err
	}
	var list []T
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

func read[T any](files fs.FS, name string, key func(T) string) (map[string]T, error) {
	list, err := readList[T](files, name)
	if err != nil {
		return nil, err
	}
	out := make(map[string]T, len(list))
	for _, item := range list {
		out[key(item)] = item
	}
	return out, nil
}
