// The demo catalogue as the search sees it: vehicles with the texts that
// passages are made of, and the judged queries.

package searcheval

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"equipment-platform/internal/embedding"
)

// Catalogue is the demo catalogue.
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

// ReadCatalogue reads the files of the demo catalogue.
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

//go:embed judgments/*.json
var ownSets embed.FS

// Set is a list of judged queries with a name to print.
type Set struct {
	Name      string
	Judgments []Judgment
}

// ReadSets reads the judged queries: those of the demo catalogue, and five sets
// written for this evaluation. docs/search.md says how each was used: the sixth
// is held out, nothing was or may be changed because of it.
func ReadSets(files fs.FS) ([]Set, error) {
	own, err := fs.Sub(ownSets, "judgments")
	if err != nil {
		return nil, err
	}
	var sets []Set
	for _, source := range []struct {
		name, file string
		files      fs.FS
	}{
		{"demo catalogue", "search-judgments", files},
		{"second set", "second", own},
		{"third set", "third", own},
		{"fourth set", "fourth", own},
		{"fifth set", "fifth", own},
		{"sixth set", "sixth", own},
	} {
		list, err := readList[Judgment](source.files, source.file)
		if err != nil {
			return nil, err
		}
		sets = append(sets, Set{source.name, list})
	}
	return sets, nil
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
