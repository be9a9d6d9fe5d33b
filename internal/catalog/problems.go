package catalog

// This file: every error of the catalog with its status and code (contract 9.2), and
// what a violated constraint of the database means.

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
)

func conflict(code, message string) *edge.Problem {
	return edge.NewProblem(http.StatusConflict, code, message)
}

func rule(code, message string) *edge.Problem {
	return edge.NewProblem(http.StatusUnprocessableEntity, code, message)
}

var (
	errVersion           = conflict("version_conflict", "The resource has changed since it was read.")
	errDuplicate         = conflict("duplicate", "Another resource has this value already.")
	errRatingExists      = conflict("rating_exists", "The caller has rated this vehicle already.")
	errOrderRated        = conflict("order_already_rated", "The order has been used for a rating already.")
	errRequestInProgress = conflict("request_in_progress", "The first request with this Idempotency-Key is still running.")

	errPlateInvalid      = rule("license_plate_invalid", "The license plate has a character other than a letter or digit.")
	errPlateTooLong      = rule("license_plate_too_long", "The license plate is longer than 32 characters.")
	errDuplicateFile     = rule("duplicate_file", "A file is linked twice.")
	errLinkLimit         = rule("link_limit", "A vehicle has at most 20 links of a kind.")
	errCategoryRequired  = rule("category_required", "A type needs at least one category.")
	errReference         = rule("reference_not_found", "A referenced resource does not exist.")
	errParamNotBound     = rule("param_not_bound", "A parameter is not bound to the type of the vehicle, or is inactive.")
	errParamDuplicate    = rule("param_duplicate", "A parameter is there twice.")
	errParamValue        = rule("param_value_invalid", "A value does not fit the value type of its parameter.")
	errParamRequired     = rule("param_required", "A required parameter has no value.")
	errTooMuchContent    = rule("too_much_content", "The resource holds more than 256 KiB of JSON.")
	errGroupInUse        = rule("group_in_use", "The group still has categories.")
	errCategoryInUse     = rule("category_in_use", "Types use the category.")
	errTypeInUse         = rule("type_in_use", "Vehicles reference the type.")
	errParamInUse        = rule("param_in_use", "The parameter is bound to a type or held by a vehicle.")
	errUnitInUse         = rule("unit_in_use", "Parameter definitions use the unit.")
	errOwnVehicle        = rule("own_vehicle", "The owner cannot rate the own vehicle.")
	errOrderNotEligible  = rule("order_not_eligible", "The order does not entitle the caller to rate this vehicle.")
	errIdempotencyReused = rule("idempotency_key_reused", "The Idempotency-Key was used for another request.")
	errEmbeddingsDown    = &edge.Problem{Status: http.StatusServiceUnavailable, Code: "embedding_unavailable", Message: "The search query cannot be embedded now; try again later.", RetryAfter: 5 * time.Second}
	errDatabaseDown      = edge.ErrOverloaded
)

// at names one field of a problem.
func at(p *edge.Problem, field, message string) *edge.Problem {
	return p.With(map[string]string{field: message})
}

// element writes the name of a list's element as details show it.
func element(list string, i int, sub string) string {
	if sub == "" {
		return fmt.Sprintf("%s[%d]", list, i)
	}
	return fmt.Sprintf("%s[%d].%s", list, i, sub)
}

// constraints are what a request can violate when it writes a row, and what
// that means. (A foreign key also fails a delete; see inUse.)
var constraints = map[string]*edge.Problem{
	"categories_group_fk":         edge.ErrNotFound,
	"type_categories_category_fk": at(errReference, "categoryIds", "does not exist"),
	"type_params_param_fk":        at(errReference, "params", "does not exist"),
	"type_tags_tag_fk":            at(errReference, "searchTagIds", "does not exist"),
	"vehicle_params_param_fk":     at(errReference, "params", "does not exist"),
	"vehicle_tags_tag_fk":         at(errReference, "searchTagIds", "does not exist"),
	"vehicles_type_fk":            at(errReference, "equipmentTypeId", "does not exist"),
	"params_unit_fk":              at(errReference, "unitId", "does not exist"),
	"tags_name_key":               errDuplicate, // details are for 400 and 422 (contract 7.2)
	"units_code_key":              errDuplicate,
	"ratings_author_key":          errRatingExists,
	"ratings_order_key":           errOrderRated,
	"vehicle_links_file_key":      at(errDuplicateFile, "fileId", "is linked already"),
}

// inUse gives the violation of a foreign key by a delete its meaning. PostgreSQL has a code of its
// own for ON DELETE RESTRICT from 18 on.
func inUse(err error, p *edge.Problem) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == "23503" || pg.Code == "23001") {
		return p
	}
	return err
}

// DatabaseProblem is the edge's mapping of database errors.
func DatabaseProblem(err error) *edge.Problem {
	if errors.Is(err, pgx.ErrNoRows) {
		return edge.ErrNotFound
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		if p, ok := constraints[pg.ConstraintName]; ok {
			return p
		}
	}
	if database.Unavailable(err) || pg != nil && (pg.Code == "40P01" || pg.Code == "40001") {
		// a deadlock that came again at every attempt is a lack of room too
		return errDatabaseDown.Because(err)
	}
	return nil
}
