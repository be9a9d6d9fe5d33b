package catalog_test

// This file: texts of requests: trimming, lengths, blanks (contract 1.5).

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextsAreTrimmedAndMeasured(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	for _, c := range []struct {
		field, path string
		body        m
		longest     int
	}{
		{"name", "/groups", nil, 255},
		{"name", "/groups/" + f.group + "/categories", nil, 255},
		{"name", "/tags", nil, 255},
		{"name", "/params", m{"valueType": "STRING"}, 255},
		{"title", "/types", m{"categoryIds": []string{f.category}}, 255},
		{"code", "/units", m{"label": "L", "unitSystem": "SI"}, 64},
		{"label", "/units", m{"code": "?", "unitSystem": "SI"}, 255},
		{"unitSystem", "/units", m{"code": "?", "label": "L"}, 64},
		{"brandName", "/vehicles", m{"equipmentTypeId": f.equipmentType, "modelName": "M"}, 255},
		{"modelName", "/vehicles", m{"equipmentTypeId": f.equipmentType, "brandName": "B"}, 255},
	} {
		t.Run(c.path+"/"+c.field, func(t *testing.T) {
			t.Parallel()
			send := func(value any) m {
				body := m{c.field: value}
				for k, v := range c.body {
					if v == "?" {
						v = unique()
					}
					body[k] = v
				}
				return body
			}
			path := base + c.path
			for sent, kept := range map[string]string{
				"x":   "x",
				" x ": "x",
				"\t\n\v\f\r a  b \u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000": "a  b",
				strings.Repeat("x", c.longest):                                   strings.Repeat("x", c.longest),
				strings.Repeat(" ", 3000) + strings.Repeat("й", c.longest) + " ": strings.Repeat("й", c.longest),
				strings.Repeat("😀", c.longest):                                   strings.Repeat("😀", c.longest),
				"😀":                                                              "😀",
				"<b>&\"\\ \u2028x":                                               "<b>&\"\\ \u2028x",
				"e\u0301":                                                        "e\u0301",
				"\u0001":                                                         "\u0001",
				"'; DROP TABLE groups; --":                                       "'; DROP TABLE groups; --",
			} {
				a := f.admin.Do(t, "POST", path, send(sent)).Is(201)
				require.Equal(t, kept, a.Text(c.field))
				id := path + "/" + a.ID()
				require.Equal(t, kept, f.admin.Do(t, "GET", id, nil).Is(200).Text(c.field))
				if c.path == "/tags" || c.field == "code" {
					f.admin.Do(t, "DELETE", id, nil).Is(204) // unique
				}
			}
			target := f.admin.Do(t, "POST", path, send("target "+unique())).Is(201)
			for _, bad := range []any{
				"", " ", "\t\n", "\u00a0\u3000", "\u200b", "\u3164 \u2800", strings.Repeat("x", c.longest+1), strings.Repeat("😀", c.longest+1),
				strings.Repeat("x", 100_000), 1, true, []string{"x"}, m{},
			} {
				f.admin.Do(t, "POST", path, send(bad)).Fails(400, "validation_failed", c.field)
				f.admin.Do(t, "PUT", path+"/"+target.ID(), send(bad)).Fails(400, "validation_failed", c.field)
				f.admin.Do(t, "PATCH", path+"/"+target.ID(), m{c.field: bad}).Fails(400, "validation_failed", c.field)
			}
			f.admin.Do(t, "POST", path, send(nil)).Fails(400, "validation_failed", c.field)
			missing := send("x")
			delete(missing, c.field)
			f.admin.Do(t, "POST", path, missing).Fails(400, "validation_failed", c.field)
			a := f.admin.Do(t, "PATCH", path+"/"+target.ID(), m{c.field: " \u2003 patched\u00a0"}).Is(200)
			require.Equal(t, "patched", a.Text(c.field))
			require.Equal(t, `"2"`, a.Version())
		})
	}
}

// Every field that is wrong is named, not only the first.
func TestEveryWrongFieldIsNamed(t *testing.T) {
	t.Parallel()
	a := setup(t)
	a.admin.Do(t, "POST", base+"/units", m{"code": " ", "label": 1, "isActive": "yes", "extra": 1}).
		Fails(400, "validation_failed", "code", "label", "unitSystem", "isActive", "extra")
	a.owner.Do(t, "POST", base+"/vehicles", m{"equipmentTypeId": "x", "brandName": "", "releaseYear": 1,
		"params": []m{{"paramId": "x"}, {"value": 1}}, "searchTagIds": []string{"x"}, "photoFileIds": "x"}).
		Fails(400, "validation_failed", "equipmentTypeId", "brandName", "modelName", "releaseYear", "params[0].paramId", "params[0].value",
			"params[1].paramId", "searchTagIds[0]", "photoFileIds")
	a.Do(t, "GET", base+"/vehicles?page=0&size=101&sort=x&minRatingAvg=6&equipmentTypeId=x&view=all", nil).
		Fails(400, "validation_failed", "page", "size", "sort", "minRatingAvg", "equipmentTypeId", "view")
	a.Do(t, "GET", base+"/groups/x/categories/y", nil).Fails(400, "validation_failed", "groupId", "id")
}
