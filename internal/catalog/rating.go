package catalog

// This file: ratings (contract 3.0).

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
)

var ratingOrders = map[string]sortable{
	"createdAt": {column: "created_at"}, "updatedAt": {column: "updated_at"}, "score": {column: "score_halves"},
}

func ratingOf(r catalogdb.Rating) api.Rating {
	return api.Rating{
		ID: r.ID, VehicleID: r.VehicleID, AuthorUserID: r.AuthorUserID, Score: float64(r.ScoreHalves) / 2, Comment: show(r.Comment), Version: r.Version,
		CreatedAt: utc(r.CreatedAt), UpdatedAt: utc(r.UpdatedAt), CreatedBy: r.CreatedBy, UpdatedBy: r.UpdatedBy,
	}
}

func ownRatingOf(r catalogdb.Rating) api.OwnRating {
	return api.OwnRating{
		ID: r.ID, VehicleID: r.VehicleID, AuthorUserID: r.AuthorUserID, OrderID: r.OrderID, Score: float64(r.ScoreHalves) / 2, Comment: show(r.Comment),
		Version: r.Version, CreatedAt: utc(r.CreatedAt), UpdatedAt: utc(r.UpdatedAt), CreatedBy: r.CreatedBy, UpdatedBy: r.UpdatedBy,
	}
}

// halves is a score in half points; the schema has refused what is off the grid.
func halves(score float64) int16 { return int16(score * 2) }

// reviewText is a comment as it is stored: blank is none.
func reviewText(sent *string) *string {
	if value(sent) == "" {
		return nil
	}
	return sent
}

// ListRatings answers a page of the ratings of a vehicle.
func (s *Service) ListRatings(ctx context.Context, r api.ListRatingsRequestObject) (api.ListRatingsResponseObject, error) {
	order, err := orderBy("r", r.Params.Sort, ratingOrders)
	if err != nil {
		return nil, err
	}
	if _, _, err := s.vehicleAccess(ctx, s.reads(ctx), r.VehicleID); err != nil {
		return nil, err
	}
	w := windowOf(r.Params.Page, r.Params.Size)
	var filter where
	filter.add("r.vehicle_id = %s", r.VehicleID)
	items, total, err := fetch(ctx, s.reads(ctx), list{
		from: "ratings r", where: filter, order: order, rare: filter.rare(r.Params.Sort), window: w,
		columns: "r.id, r.vehicle_id, r.author_user_id, r.order_id, r.score_halves, r.comment, r.version, r.created_at, r.updated_at, r.created_by, r.updated_by",
	}, func(r *catalogdb.Rating) []any {
		return []any{&r.ID, &r.VehicleID, &r.AuthorUserID, &r.OrderID, &r.ScoreHalves, &r.Comment, &r.Version, &r.CreatedAt, &r.UpdatedAt, &r.CreatedBy, &r.UpdatedBy}
	})
	if err != nil {
		return nil, err
	}
	for _, r := range items {
		if err := edge.Reserve(ctx, 2*int64(512+len(value(r.Comment)))); err != nil {
			return nil, err
		}
	}
	return api.ListRatings200JSONResponse(api.RatingPage{
		Content: convert(items, ratingOf), CurrentPage: w.page, PageSize: w.size, TotalElements: total,
	}), nil
}

// ListRateableOrders answers the orders that the caller may rate a vehicle with.
func (s *Service) ListRateableOrders(ctx context.Context, r api.ListRateableOrdersRequestObject) (api.ListRateableOrdersResponseObject, error) {
	if _, _, err := s.vehicleAccess(ctx, s.reads(ctx), r.VehicleID); err != nil {
		return nil, err
	}
	rows, err := s.queries.EntitlementsRateable(ctx, s.reads(ctx), catalogdb.EntitlementsRateableParams{CustomerID: actor(ctx), VehicleID: r.VehicleID})
	if err != nil {
		return nil, err
	}
	return api.ListRateableOrders200JSONResponse(convert(rows, func(row catalogdb.EntitlementsRateableRow) api.RateableOrder {
		return api.RateableOrder{OrderID: row.OrderID, Status: row.Status, EventTimestamp: utc(row.EventTimestamp)}
	})), nil
}

// GetRatingSummary answers the aggregates of a vehicle.
func (s *Service) GetRatingSummary(ctx context.Context, r api.GetRatingSummaryRequestObject) (api.GetRatingSummaryResponseObject, error) {
	if _, _, err := s.vehicleAccess(ctx, s.reads(ctx), r.VehicleID); err != nil {
		return nil, err
	}
	row, err := s.queries.RatingSummary(ctx, s.reads(ctx), r.VehicleID)
	if err != nil {
		return nil, err
	}
	return api.GetRatingSummary200JSONResponse(api.RatingSummary{RatingAvg: row.RatingAvg, RatingCount: row.RatingCount}), nil
}

// CreateRating rates a vehicle. The checks run in the order of contract 3.3; the lock
// on the vehicle makes the aggregates exact.
func (s *Service) CreateRating(ctx context.Context, r api.CreateRatingRequestObject) (api.CreateRatingResponseObject, error) {
	author := actor(ctx)
	return s.create(ctx, "createRating", r.Params.IdempotencyKey, func(tx pgx.Tx) (created, error) {
		v, err := s.queries.VehicleLock(ctx, tx, r.VehicleID)
		if err != nil {
			return created{}, err
		}
		if !v.IsActive {
			return created{}, edge.ErrNotFound
		}
		if v.OwnerUserID == author {
			return created{}, errOwnVehicle
		}
		if err := s.checkUnrated(ctx, tx, r.VehicleID, author, r.Body.OrderID); err != nil {
			return created{}, err
		}
		eligible, err := s.queries.EntitlementEligible(ctx, tx, catalogdb.EntitlementEligibleParams{
			OrderID: r.Body.OrderID, CustomerID: author, VehicleID: r.VehicleID,
		})
		if err != nil {
			return created{}, err
		}
		if !eligible {
			return created{}, at(errOrderNotEligible, "orderId", "does not entitle the caller to rate this vehicle")
		}
		row, err := s.queries.RatingCreate(ctx, tx, catalogdb.RatingCreateParams{
			VehicleID: r.VehicleID, Author: author, OrderID: r.Body.OrderID, ScoreHalves: halves(r.Body.Score), Comment: reviewText(pointer(r.Body.Comment)),
		})
		if err != nil {
			return created{}, err
		}
		if err := s.addToAggregates(ctx, tx, r.VehicleID, int64(row.ScoreHalves), 1); err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/vehicles/"+r.VehicleID.String()+"/ratings/me", row.Version, ownRatingOf(row))
	})
}

// checkUnrated answers 409 for a second rating of the author or the order.
func (s *Service) checkUnrated(ctx context.Context, tx pgx.Tx, vehicleID uuid.UUID, author string, orderID uuid.UUID) error {
	_, err := s.queries.RatingGetOwn(ctx, tx, catalogdb.RatingGetOwnParams{VehicleID: vehicleID, Author: author})
	if err == nil {
		return errRatingExists
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	used, err := s.queries.RatingOrderUsed(ctx, tx, orderID)
	if err == nil && used {
		return errOrderRated
	}
	return err
}

func (s *Service) addToAggregates(ctx context.Context, tx pgx.Tx, vehicleID uuid.UUID, halves, ratings int64) error {
	if halves == 0 && ratings == 0 {
		return nil
	}
	return s.queries.VehicleRatingAdd(ctx, tx, catalogdb.VehicleRatingAddParams{ID: vehicleID, Halves: halves, Ratings: ratings})
}

// GetOwnRating answers the caller's rating, whatever became of the vehicle's
// isActive (contract 9.7).
func (s *Service) GetOwnRating(ctx context.Context, r api.GetOwnRatingRequestObject) (api.GetOwnRatingResponseObject, error) {
	row, err := s.queries.RatingGetOwn(ctx, s.reads(ctx), catalogdb.RatingGetOwnParams{VehicleID: r.VehicleID, Author: actor(ctx)})
	if err != nil {
		return nil, err
	}
	return api.GetOwnRating200JSONResponse{Body: ownRatingOf(row), Headers: api.GetOwnRating200ResponseHeaders{ETag: etag(row.Version)}}, nil
}

// withOwnRating locks vehicle and rating, in this order like every writer of
// ratings, and runs f.
func (s *Service) withOwnRating(ctx context.Context, vehicleID uuid.UUID, ifMatch *string, f func(pgx.Tx, catalogdb.Rating) error) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := s.queries.VehicleLock(ctx, tx, vehicleID); err != nil {
			return err
		}
		row, err := s.queries.RatingGetOwn(ctx, tx, catalogdb.RatingGetOwnParams{VehicleID: vehicleID, Author: actor(ctx)})
		if err != nil {
			return err
		}
		if err := checkVersion(ifMatch, row.Version); err != nil {
			return err
		}
		return f(tx, row)
	})
}

// ReplaceOwnRating replaces score and comment; EXECUTOR may by now too (contract 3.11).
func (s *Service) ReplaceOwnRating(ctx context.Context, r api.ReplaceOwnRatingRequestObject) (api.ReplaceOwnRatingResponseObject, error) {
	var out catalogdb.Rating
	err := s.withOwnRating(ctx, r.VehicleID, r.Params.IfMatch, func(tx pgx.Tx, old catalogdb.Rating) (err error) {
		out, err = s.queries.RatingUpdate(ctx, tx, catalogdb.RatingUpdateParams{
			ID: old.ID, ScoreHalves: halves(r.Body.Score), Comment: reviewText(pointer(r.Body.Comment)), Author: actor(ctx),
		})
		if err != nil {
			return err
		}
		return s.addToAggregates(ctx, tx, r.VehicleID, int64(out.ScoreHalves)-int64(old.ScoreHalves), 0)
	})
	if err != nil {
		return nil, err
	}
	return api.ReplaceOwnRating200JSONResponse{Body: ownRatingOf(out), Headers: api.ReplaceOwnRating200ResponseHeaders{ETag: etag(out.Version)}}, nil
}

// DeleteOwnRating deletes the caller's rating.
func (s *Service) DeleteOwnRating(ctx context.Context, r api.DeleteOwnRatingRequestObject) (api.DeleteOwnRatingResponseObject, error) {
	err := s.withOwnRating(ctx, r.VehicleID, r.Params.IfMatch, func(tx pgx.Tx, row catalogdb.Rating) error {
		if err := s.queries.RatingDelete(ctx, tx, row.ID); err != nil {
			return err
		}
		return s.addToAggregates(ctx, tx, r.VehicleID, -int64(row.ScoreHalves), -1)
	})
	if err != nil {
		return nil, err
	}
	return api.DeleteOwnRating204Response{}, nil
}
