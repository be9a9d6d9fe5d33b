package catalog_test

// This file: one request of every operation that succeeds, on a catalog with
// one of everything. Rules that hold for all operations (roles, bodies,
// headers) take their requests from here.

import (
	"testing"

	"github.com/google/uuid"

	"equipment-platform/internal/edge/edgetest"
)

// sample is a request that its caller may make. Deletions stand last.
type sample struct {
	operation, method, path string
	body                    any
	by                      edgetest.Client
	status                  int
}

// fixture is a catalog with one of everything; vehicle is the owner's.
type fixture struct {
	*api
	group, category, tag, unit, param, equipmentType, vehicle, photo, doc string
}

func newFixture(tb testing.TB, a *api) fixture {
	tb.Helper()
	f := fixture{api: a, group: a.newGroup(tb), tag: a.newTag(tb), unit: a.newUnit(tb)}
	f.category = a.newCategory(tb, f.group)
	f.param = a.newParam(tb, m{"unitId": f.unit})
	f.equipmentType = a.admin.Do(tb, "POST", base+"/types", m{"title": "Type", "categoryIds": []string{f.category},
		"params": []m{{"paramId": f.param}}, "searchTagIds": []string{f.tag}}).Is(201).ID()
	f.vehicle = a.newVehicle(tb, a.owner, m{"equipmentTypeId": f.equipmentType, "searchTagIds": []string{f.tag},
		"params": []m{{"paramId": f.param, "value": 1}}})
	f.photo = a.newLink(tb, f.vehicle, "photos")
	f.doc = a.newLink(tb, f.vehicle, "docs")
	return f
}

// newLink appends a link to a vehicle of the owner.
func (a *api) newLink(tb testing.TB, vehicle, kind string) string {
	tb.Helper()
	return a.owner.Do(tb, "POST", base+"/vehicles/"+vehicle+"/"+kind, m{"fileId": uuid.NewString()}).Is(201).ID()
}

// newRating rates a vehicle as a customer with an order of its own.
func (a *api) newRating(tb testing.TB, vehicle, customer string, score float64) edgetest.Answer {
	tb.Helper()
	order := a.entitle(tb, customer, vehicle, "Done")
	return a.As(token(tb, customer, "USER")).Do(tb, "POST", base+"/vehicles/"+vehicle+"/ratings", m{"score": score, "orderId": order}).Is(201)
}

// samples returns a successful request of every operation. They do not disturb
// each other.
func (f fixture) samples(tb testing.TB) []sample {
	tb.Helper()
	groups, categories := base+"/groups", base+"/groups/"+f.group+"/categories"
	vehicles := base + "/vehicles"
	v := vehicles + "/" + f.vehicle
	rated := vehicles + "/" + f.newVehicle(tb, f.owner, m{"equipmentTypeId": f.equipmentType})
	f.newRating(tb, rated[len(vehicles)+1:], "customer", 4)
	idle := base + "/types/" + f.newType(tb)
	list := []sample{
		{"listGroups", "GET", groups, nil, f.Client, 200},
		{"countGroups", "GET", groups + "/count", nil, f.Client, 200},
		{"getGroup", "GET", groups + "/" + f.group, nil, f.Client, 200},
		{"createGroup", "POST", groups, m{"name": "Group"}, f.admin, 201},
		{"replaceGroup", "PUT", groups + "/" + f.group, m{"name": "Group"}, f.admin, 200},
		{"updateGroup", "PATCH", groups + "/" + f.group, m{"name": "Group"}, f.admin, 200},
		{"listCategories", "GET", base + "/categories", nil, f.Client, 200},
		{"countCategories", "GET", base + "/categories/count", nil, f.Client, 200},
		{"listGroupCategories", "GET", categories, nil, f.Client, 200},
		{"countGroupCategories", "GET", categories + "/count", nil, f.Client, 200},
		{"getCategory", "GET", categories + "/" + f.category, nil, f.Client, 200},
		{"createCategory", "POST", categories, m{"name": "Category"}, f.admin, 201},
		{"replaceCategory", "PUT", categories + "/" + f.category, m{"name": "Category"}, f.admin, 200},
		{"updateCategory", "PATCH", categories + "/" + f.category, m{"name": "Category"}, f.admin, 200},
		{"listTags", "GET", base + "/tags", nil, f.Client, 200},
		{"countTags", "GET", base + "/tags/count", nil, f.Client, 200},
		{"getTag", "GET", base + "/tags/" + f.tag, nil, f.Client, 200},
		{"createTag", "POST", base + "/tags", m{"name": "tag " + unique()}, f.admin, 201},
		{"replaceTag", "PUT", base + "/tags/" + f.tag, m{"name": "tag " + unique()}, f.admin, 200},
		{"updateTag", "PATCH", base + "/tags/" + f.tag, m{"name": "tag " + unique()}, f.admin, 200},
		{"listTypes", "GET", base + "/types", nil, f.Client, 200},
		{"countTypes", "GET", base + "/types/count", nil, f.Client, 200},
		{"getType", "GET", base + "/types/" + f.equipmentType, nil, f.Client, 200},
		{"createType", "POST", base + "/types", m{"title": "Type", "categoryIds": []string{f.category}}, f.owner, 201},
		{"replaceType", "PUT", idle, m{"title": "Type", "categoryIds": []string{f.category}}, f.owner, 200},
		{"updateType", "PATCH", idle, m{"title": "Type"}, f.owner, 200},
		{"listParams", "GET", base + "/params", nil, f.other, 200},
		{"countParams", "GET", base + "/params/count", nil, f.other, 200},
		{"getParam", "GET", base + "/params/" + f.param, nil, f.other, 200},
		{"createParam", "POST", base + "/params", m{"name": "Param", "valueType": "DATE"}, f.admin, 201},
		{"replaceParam", "PUT", base + "/params/" + f.param, m{"name": "Param", "valueType": "NUMBER", "unitId": f.unit}, f.admin, 200},
		{"updateParam", "PATCH", base + "/params/" + f.param, m{"name": "Param"}, f.admin, 200},
		{"listUnits", "GET", base + "/units", nil, f.other, 200},
		{"countUnits", "GET", base + "/units/count", nil, f.other, 200},
		{"getUnit", "GET", base + "/units/" + f.unit, nil, f.other, 200},
		{"createUnit", "POST", base + "/units", m{"code": unique(), "label": "Unit", "unitSystem": "SI"}, f.admin, 201},
		{"replaceUnit", "PUT", base + "/units/" + f.unit, m{"code": unique(), "label": "Unit", "unitSystem": "SI"}, f.admin, 200},
		{"updateUnit", "PATCH", base + "/units/" + f.unit, m{"label": "Unit"}, f.admin, 200},
		{"listVehicles", "GET", vehicles, nil, f.Client, 200},
		{"countVehicles", "GET", vehicles + "/count", nil, f.Client, 200},
		{"getVehicleFacets", "GET", vehicles + "/facets", nil, f.Client, 200},
		{"getVehicle", "GET", v, nil, f.Client, 200},
		{"createVehicle", "POST", vehicles, m{"equipmentTypeId": f.equipmentType, "brandName": "Brand", "modelName": "Model"}, f.owner, 201},
		{"updateVehicle", "PATCH", v, m{"brandName": "Brand"}, f.owner, 200},
		{"searchVehicles", "POST", vehicles + "/semantic-search", m{"query": "excavator"}, f.Client, 200},
		{"listVehiclePhotos", "GET", v + "/photos", nil, f.Client, 200},
		{"addVehiclePhoto", "POST", v + "/photos", m{"fileId": uuid.NewString()}, f.owner, 201},
		{"getVehiclePhoto", "GET", v + "/photos/" + f.photo, nil, f.Client, 200},
		{"updateVehiclePhoto", "PATCH", v + "/photos/" + f.photo, m{"isActive": true}, f.owner, 200},
		{"listVehicleDocs", "GET", v + "/docs", nil, f.Client, 200},
		{"addVehicleDoc", "POST", v + "/docs", m{"fileId": uuid.NewString()}, f.owner, 201},
		{"getVehicleDoc", "GET", v + "/docs/" + f.doc, nil, f.Client, 200},
		{"updateVehicleDoc", "PATCH", v + "/docs/" + f.doc, m{"isActive": true}, f.owner, 200},
		{"listRatings", "GET", rated + "/ratings", nil, f.Client, 200},
		{"getRatingSummary", "GET", rated + "/ratings/summary", nil, f.Client, 200},
		{"createRating", "POST", v + "/ratings", m{"score": 5, "orderId": f.entitle(tb, "customer", f.vehicle, "Paid")}, f.customer, 201},
		{"listRateableOrders", "GET", rated + "/ratings/me/orders", nil, f.customer, 200},
		{"getOwnRating", "GET", rated + "/ratings/me", nil, f.customer, 200},
		{"replaceOwnRating", "PUT", rated + "/ratings/me", m{"score": 5}, f.customer, 200},
		{"deleteOwnRating", "DELETE", rated + "/ratings/me", nil, f.customer, 204},
		{"deleteVehiclePhoto", "DELETE", v + "/photos/" + f.photo, nil, f.owner, 204},
		{"deleteVehicleDoc", "DELETE", v + "/docs/" + f.doc, nil, f.owner, 204},
		{"replaceVehicle", "PUT", v, m{"brandName": "Brand"}, f.owner, 200},
		{"deleteVehicle", "DELETE", vehicles + "/" + f.newVehicle(tb, f.owner, m{"equipmentTypeId": f.equipmentType}), nil, f.owner, 204},
		{"deleteType", "DELETE", base + "/types/" + f.newType(tb), nil, f.owner, 204},
		{"deleteParam", "DELETE", base + "/params/" + f.newParam(tb, nil), nil, f.admin, 204},
		{"deleteUnit", "DELETE", base + "/units/" + f.newUnit(tb), nil, f.admin, 204},
		{"deleteTag", "DELETE", base + "/tags/" + f.newTag(tb), nil, f.admin, 204},
		{"deleteCategory", "DELETE", categories + "/" + f.newCategory(tb, f.group), nil, f.admin, 204},
		{"deleteGroup", "DELETE", groups + "/" + f.newGroup(tb), nil, f.admin, 204},
	}
	return list
}
