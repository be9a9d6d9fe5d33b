package catalog_test

// This file: ratings (contract 3.0).

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/edge/edgetest"
)

func TestRatingLife(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	path := base + "/vehicles/" + vehicle + "/ratings"
	order := a.entitle(t, "customer", vehicle, "Done")
	a.customer.Do(t, "GET", path+"/me", nil).Fails(404, "not_found")
	r := a.customer.Do(t, "POST", path, m{"score": 4.5, "comment": "  fine \n", "orderId": order}).Is(201)
	require.Equal(t, path+"/me", r.Header.Get("Location"))
	require.Equal(t, `"1"`, r.Version())
	want := m{"vehicleId": vehicle, "authorUserId": "customer", "score": 4.5, "comment": "fine", "orderId": order, "createdBy": "customer", "version": 1.}
	require.Equal(t, want, fieldsOf(t, r, want))
	require.JSONEq(t, string(r.Body), string(a.customer.Do(t, "GET", path+"/me", nil).Is(200).Body))
	summary := func(avg string, count int) {
		t.Helper()
		require.JSONEq(t, fmt.Sprintf(`{"ratingAvg":%s,"ratingCount":%d}`, avg, count), string(a.Do(t, "GET", path+"/summary", nil).Is(200).Body))
		v := a.Do(t, "GET", base+"/vehicles/"+vehicle, nil).Is(200)
		require.Equal(t, avg, mustJSON(t, v.Field("ratingAvg")))
		require.Equal(t, mustJSON(t, count), mustJSON(t, v.Field("ratingCount")))
	}
	summary("4.5", 1)
	for _, by := range []edgetest.Client{a.Client, a.customer, a.admin} {
		require.NotContains(t, getPage(t, by, path).Content[0], "orderId", "only to the author, at /me")
	}
	// full replacement: an absent, null or blank comment clears the review
	for _, body := range []m{{"score": 1}, {"score": 2, "comment": nil}, {"score": 3, "comment": " \n "}, {"score": 3, "comment": "\u200b\u3164 "}, {"score": 1, "comment": ""}} {
		a.customer.Do(t, "PUT", path+"/me", m{"score": 5, "comment": "x"}).Is(200)
		require.Nil(t, a.customer.Do(t, "PUT", path+"/me", body).Is(200).Field("comment"))
	}
	summary("1", 1)
	for _, bad := range []m{{}, {"comment": "x"}, {"score": nil}, {"score": 0.5}, {"score": 5.5}, {"score": 3.3}, {"score": "3"}, {"score": 3, "orderId": order}, {"score": 3, "comment": 1}, {"score": 3, "comment": strings.Repeat("x", 4001)}} {
		a.customer.Do(t, "PUT", path+"/me", bad).Fails(400, "validation_failed")
	}
	long := strings.Repeat("😀", 4000)
	require.Equal(t, long, a.customer.Do(t, "PUT", path+"/me", m{"score": 3, "comment": " " + long + " "}).Is(200).Text("comment"))
	a.customer.Do(t, "DELETE", path+"/me", nil).Is(204)
	summary("0", 0)
	a.customer.Do(t, "DELETE", path+"/me", nil).Fails(404, "not_found")
	a.customer.Do(t, "PUT", path+"/me", m{"score": 3}).Fails(404, "not_found")
	// the order is free again
	a.customer.Do(t, "POST", path, m{"score": 2, "orderId": order}).Is(201)
	summary("2", 1)
}

func TestRatingScores(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kind := a.newType(t)
	for _, score := range []string{"1", "1.0", "1.5", "2", "2.5", "3", "3.5", "4", "4.50", "5", "5.0", "0.5e1"} {
		vehicle := a.newVehicle(t, a.owner, m{"equipmentTypeId": kind})
		order := a.entitle(t, "customer", vehicle, "Paid")
		a.customer.Do(t, "POST", base+"/vehicles/"+vehicle+"/ratings", []byte(`{"score":`+score+`,"orderId":"`+order+`"}`)).Is(201)
	}
	vehicle := a.newVehicle(t, a.owner, m{"equipmentTypeId": kind})
	for _, bad := range []m{{"score": 5}, {"score": 5, "orderId": nil}, {"score": 5, "orderId": "x"}, {"orderId": uuid.NewString()}, {"score": 5, "orderId": uuid.NewString(), "vehicleId": vehicle},
		{"score": 5, "orderId": uuid.NewString(), "comment": strings.Repeat("x", 4001)}} {
		a.customer.Do(t, "POST", base+"/vehicles/"+vehicle+"/ratings", bad).Fails(400, "validation_failed")
	}
}

func TestOrderStatuses(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle, other := a.newVehicle(t, a.owner, nil), a.newVehicle(t, a.owner, nil)
	path := base + "/vehicles/" + vehicle + "/ratings"
	messages := map[string]bool{}
	refuse := func(order string) {
		t.Helper()
		answer := a.customer.Do(t, "POST", path, m{"score": 5, "orderId": order}).Fails(422, "order_not_eligible", "orderId")
		messages[answer.Text("message")+mustJSON(t, answer.Field("details"))] = true
	}
	refuse(uuid.NewString())
	for _, status := range []string{"New", "Created", "Cancelled", "Doneish", "Done ", " Paid", "NotPaid", "Unpaid", "Dоne", "PAİD", "paıd"} { // a Cyrillic о, Turkish letters
		refuse(a.entitle(t, "customer", vehicle, status))
	}
	refuse(a.entitle(t, "other", vehicle, "Done"))
	refuse(a.entitle(t, "Customer", vehicle, "Done"))
	refuse(a.entitle(t, "customer", other, "Done"))
	require.Len(t, messages, 1, "one message for all of them")
	for _, status := range []string{"Done", "Paid", "done", "PAID", "dOnE"} {
		order := a.entitle(t, "customer", vehicle, status)
		a.customer.Do(t, "POST", path, m{"score": 5, "orderId": order}).Is(201)
		a.customer.Do(t, "DELETE", path+"/me", nil).Is(204)
	}
}

// contract 3.3: 401, 403, 400, 404, 422 own vehicle, 409, 422 order.
func TestOrderOfRatingChecks(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	hidden := a.newVehicle(t, a.owner, m{"isActive": false})
	rate := func(by edgetest.Client, vehicle string, body any) edgetest.Answer {
		return by.Do(t, "POST", base+"/vehicles/"+vehicle+"/ratings", body)
	}
	unknown := m{"score": 5, "orderId": uuid.NewString()}
	rate(a.Client, "x", m{}).Fails(401, "unauthorized")
	rate(a.manager, "x", m{}).Fails(403, "forbidden")
	rate(a.As(token(t, "customer", "USER", "EXECUTOR")), uuid.NewString(), m{}).Fails(403, "forbidden")
	rate(a.customer, "x", unknown).Fails(400, "validation_failed", "vehicleId")
	rate(a.customer, uuid.NewString(), m{"score": 9}).Fails(400, "validation_failed")
	rate(a.customer, uuid.NewString(), unknown).Fails(404, "not_found")
	rate(a.customer, hidden, unknown).Fails(404, "not_found")
	rate(a.owner, hidden, unknown).Fails(404, "not_found") // inactive before own
	rate(a.owner, vehicle, unknown).Fails(422, "own_vehicle")
	rate(a.As(token(t, "owner", "USER", "ADMIN")), vehicle, unknown).Fails(422, "own_vehicle")
	order := a.entitle(t, "customer", vehicle, "Done")
	rate(a.customer, vehicle, m{"score": 5, "orderId": order}).Is(201)
	rate(a.customer, vehicle, unknown).Fails(409, "rating_exists")
	rate(a.customer, vehicle, m{"score": 5, "orderId": a.entitle(t, "customer", vehicle, "Paid")}).Fails(409, "rating_exists")
	rate(a.customer, vehicle, m{"score": 5, "orderId": order}).Fails(409, "rating_exists")
	rate(a.other, vehicle, m{"score": 5, "orderId": order}).Fails(409, "order_already_rated")
	rate(a.other, vehicle, unknown).Fails(422, "order_not_eligible", "orderId")
	require.Equal(t, int64(1), getPage(t, a.Client, base+"/vehicles/"+vehicle+"/ratings").TotalElements)
}

// The author keeps the own rating whatever becomes of the vehicle or the
// author's roles (contract 3.11, contract 9.7).
func TestOwnRatingOutlivesVisibilityAndRole(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	path := base + "/vehicles/" + vehicle + "/ratings"
	a.newRating(t, vehicle, "customer", 4)
	a.owner.Do(t, "PATCH", base+"/vehicles/"+vehicle, m{"isActive": false}).Is(200)
	a.customer.Do(t, "GET", path, nil).Fails(404, "not_found")
	a.customer.Do(t, "GET", path+"/summary", nil).Fails(404, "not_found")
	for _, roles := range [][]string{{"USER"}, {"USER", "EXECUTOR"}, {"EXECUTOR"}, {}, {"OPERATOR"}} {
		by := a.As(token(t, "customer", roles...))
		by.Do(t, "GET", path+"/me", nil).Is(200)
		by.Do(t, "PUT", path+"/me", m{"score": 2.5, "comment": "still here"}).Is(200)
	}
	require.JSONEq(t, `{"ratingAvg":2.5,"ratingCount":1}`, string(a.owner.Do(t, "GET", path+"/summary", nil).Is(200).Body))
	a.admin.Do(t, "GET", path+"/me", nil).Fails(404, "not_found")
	a.admin.Do(t, "DELETE", path+"/me", nil).Fails(404, "not_found")
	a.As(token(t, "customer", "EXECUTOR")).Do(t, "DELETE", path+"/me", nil).Is(204)
	require.JSONEq(t, `{"ratingAvg":0,"ratingCount":0}`, string(a.manager.Do(t, "GET", path+"/summary", nil).Is(200).Body))
}

// contract 3.5: exact under any concurrency.
func TestAggregatesAreExact(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	path := base + "/vehicles/" + vehicle + "/ratings"
	var group sync.WaitGroup
	for n := range 50 {
		sub := fmt.Sprint("customer-", n)
		by, order := a.As(token(t, sub, "USER")), a.entitle(t, sub, vehicle, "Done")
		group.Go(func() {
			by.Do(t, "POST", path, m{"score": 1 + float64(n%9)/2, "orderId": order}).Is(201)
			if n%3 > 0 {
				by.Do(t, "PUT", path+"/me", m{"score": 5 - float64(n%7)/2}).Is(200)
			}
			if n%3 == 2 {
				by.Do(t, "DELETE", path+"/me", nil).Is(204)
			}
		})
	}
	// meanwhile the owner changes the vehicle
	group.Go(func() {
		for n := range 10 {
			a.owner.Do(t, "PATCH", base+"/vehicles/"+vehicle, m{"modelName": fmt.Sprint("M", n)}).Is(200)
		}
	})
	group.Wait()
	var count int
	var avg string
	require.NoError(t, a.db.QueryRow(t.Context(), "SELECT count(*), trim_scale(round(avg(score_halves / 2.0), 2))::text FROM ratings WHERE vehicle_id = $1", vehicle).Scan(&count, &avg))
	require.Equal(t, 34, count)
	require.JSONEq(t, fmt.Sprintf(`{"ratingAvg":%s,"ratingCount":%d}`, avg, count), string(a.Do(t, "GET", path+"/summary", nil).Is(200).Body))
	require.Equal(t, int64(count), getPage(t, a.Client, path).TotalElements)
	require.Equal(t, "M9", a.Do(t, "GET", base+"/vehicles/"+vehicle, nil).Text("modelName"))
}

func TestConcurrentFirstRatings(t *testing.T) {
	t.Parallel()
	a := setup(t)
	kind := a.newType(t)
	one, two := a.newVehicle(t, a.owner, m{"equipmentTypeId": kind}), a.newVehicle(t, a.owner, m{"equipmentTypeId": kind})
	order := a.entitle(t, "customer", one, "Done")
	var group sync.WaitGroup
	statuses := make([]int, 12)
	for i := range statuses {
		group.Go(func() {
			statuses[i] = a.customer.Do(t, "POST", base+"/vehicles/"+one+"/ratings", m{"score": 5, "orderId": order}).Status
		})
	}
	group.Wait()
	require.ElementsMatch(t, []int{201, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409}, statuses)
	// the order moves to another vehicle by a later event: it has still been used
	_, err := a.db.Exec(t.Context(), "UPDATE order_entitlements SET vehicle_id = $1", two)
	require.NoError(t, err)
	a.customer.Do(t, "POST", base+"/vehicles/"+two+"/ratings", m{"score": 5, "orderId": order}).Fails(409, "order_already_rated")
}
