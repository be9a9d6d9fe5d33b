package catalog

// This file: photo and document links of vehicles (contract 2.15, contract 9.6). They differ
// in their kind only; the operations of each kind are thin.

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	api "equipment-platform/gen/catalogapi"
	"equipment-platform/gen/catalogdb"
	"equipment-platform/internal/edge"
)

const (
	kindPhoto = "photo"
	kindDoc   = "doc"

	maxLinks = 20
)

func linkOf(l catalogdb.VehicleLink) api.VehicleLink {
	return api.VehicleLink{
		ID: l.ID, VehicleID: l.VehicleID, FileID: l.FileID, IsActive: l.IsActive, Position: int32(l.Position), Version: l.Version,
		CreatedAt: utc(l.CreatedAt), UpdatedAt: utc(l.UpdatedAt), CreatedBy: l.CreatedBy, UpdatedBy: l.UpdatedBy,
	}
}

// putLinks makes files the whole list of a kind.
func (s *Service) putLinks(ctx context.Context, tx pgx.Tx, vehicleID uuid.UUID, kind string, files []uuid.UUID) error {
	if files == nil {
		files = []uuid.UUID{} // a null array would keep every link
	}
	if err := s.queries.LinksDeleteOthers(ctx, tx, catalogdb.LinksDeleteOthersParams{VehicleID: vehicleID, Kind: kind, FileIds: files}); err != nil {
		return err
	}
	if len(files) == 0 {
		return nil
	}
	return s.queries.LinksPut(ctx, tx, catalogdb.LinksPutParams{VehicleID: vehicleID, Kind: kind, Actor: actor(ctx), FileIds: files})
}

func (s *Service) listLinks(ctx context.Context, vehicleID uuid.UUID, kind string) ([]api.VehicleLink, error) {
	e, v, err := s.vehicleAccess(ctx, s.reads(ctx), vehicleID)
	if err != nil {
		return nil, err
	}
	links, err := s.queries.LinksList(ctx, s.reads(ctx), catalogdb.LinksListParams{VehicleID: vehicleID, Kind: kind, InactiveToo: e.seesInactive(v.OwnerUserID)})
	return convert(links, linkOf), err
}

func (s *Service) getLink(ctx context.Context, vehicleID, id uuid.UUID, kind string) (catalogdb.VehicleLink, error) {
	e, v, err := s.vehicleAccess(ctx, s.reads(ctx), vehicleID)
	if err != nil {
		return catalogdb.VehicleLink{}, err
	}
	l, err := s.queries.LinkGet(ctx, s.reads(ctx), catalogdb.LinkGetParams{ID: id, VehicleID: vehicleID, Kind: kind})
	if err == nil && !l.IsActive && !e.seesInactive(v.OwnerUserID) {
		return l, edge.ErrNotFound
	}
	return l, err
}

func (s *Service) addLink(ctx context.Context, operation string, key *string, vehicleID uuid.UUID, kind, path string, body *api.LinkCreate) (created, error) {
	e, err := s.newViewer(ctx, "")
	if err != nil {
		return created{}, err
	}
	return s.create(ctx, operation, key, func(tx pgx.Tx) (created, error) {
		if _, err := s.lockVehicle(ctx, tx, vehicleID, e); err != nil {
			return created{}, err
		}
		n, err := s.queries.LinksCount(ctx, tx, catalogdb.LinksCountParams{VehicleID: vehicleID, Kind: kind})
		if err != nil {
			return created{}, err
		}
		if n >= maxLinks {
			return created{}, at(errLinkLimit, "fileId", "would be the 21st link")
		}
		l, err := s.queries.LinkCreate(ctx, tx, catalogdb.LinkCreateParams{
			VehicleID: vehicleID, Kind: kind, FileID: body.FileID, IsActive: or(body.IsActive, true), Position: int16(n), Actor: actor(ctx),
		})
		if err != nil {
			return created{}, err
		}
		if err := s.touchVehicle(ctx, tx, vehicleID); err != nil {
			return created{}, err
		}
		return newCreated("/api/v1/vehicles/"+vehicleID.String()+"/"+path+"/"+l.ID.String(), l.Version, linkOf(l))
	})
}

// touchVehicle raises the version of a vehicle whose links changed.
func (s *Service) touchVehicle(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return s.queries.VehicleTouch(ctx, tx, catalogdb.VehicleTouchParams{ID: id, Actor: actor(ctx)})
}

// withLink runs f with a link of a vehicle that the caller may change.
func (s *Service) withLink(ctx context.Context, vehicleID, id uuid.UUID, kind string, ifMatch *string, f func(pgx.Tx, catalogdb.VehicleLink) error) error {
	e, err := s.newViewer(ctx, "")
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := s.lockVehicle(ctx, tx, vehicleID, e); err != nil {
			return err
		}
		l, err := s.queries.LinkGet(ctx, tx, catalogdb.LinkGetParams{ID: id, VehicleID: vehicleID, Kind: kind})
		if err != nil {
			return err
		}
		if err := checkVersion(ifMatch, l.Version); err != nil {
			return err
		}
		if err := f(tx, l); err != nil {
			return err
		}
		return s.touchVehicle(ctx, tx, vehicleID)
	})
}

func (s *Service) updateLink(ctx context.Context, vehicleID, id uuid.UUID, kind string, ifMatch *string, active bool) (out catalogdb.VehicleLink, err error) {
	err = s.withLink(ctx, vehicleID, id, kind, ifMatch, func(tx pgx.Tx, _ catalogdb.VehicleLink) error {
		out, err = s.queries.LinkSetActive(ctx, tx, catalogdb.LinkSetActiveParams{ID: id, IsActive: active, Actor: actor(ctx)})
		return err
	})
	return out, err
}

func (s *Service) deleteLink(ctx context.Context, vehicleID, id uuid.UUID, kind string, ifMatch *string) error {
	return s.withLink(ctx, vehicleID, id, kind, ifMatch, func(tx pgx.Tx, l catalogdb.VehicleLink) error {
		if err := s.queries.LinkDelete(ctx, tx, id); err != nil {
			return err
		}
		return s.queries.LinksCloseGap(ctx, tx, catalogdb.LinksCloseGapParams{VehicleID: vehicleID, Kind: kind, Position: l.Position, Actor: actor(ctx)})
	})
}

// ListVehiclePhotos answers the photo links of a vehicle in order.
func (s *Service) ListVehiclePhotos(ctx context.Context, r api.ListVehiclePhotosRequestObject) (api.ListVehiclePhotosResponseObject, error) {
	links, err := s.listLinks(ctx, r.VehicleID, kindPhoto)
	if err != nil {
		return nil, err
	}
	return api.ListVehiclePhotos200JSONResponse(links), nil
}

// ListVehicleDocs answers the document links of a vehicle in order.
func (s *Service) ListVehicleDocs(ctx context.Context, r api.ListVehicleDocsRequestObject) (api.ListVehicleDocsResponseObject, error) {
	links, err := s.listLinks(ctx, r.VehicleID, kindDoc)
	if err != nil {
		return nil, err
	}
	return api.ListVehicleDocs200JSONResponse(links), nil
}

// GetVehiclePhoto answers a photo link.
func (s *Service) GetVehiclePhoto(ctx context.Context, r api.GetVehiclePhotoRequestObject) (api.GetVehiclePhotoResponseObject, error) {
	l, err := s.getLink(ctx, r.VehicleID, r.ID, kindPhoto)
	if err != nil {
		return nil, err
	}
	return api.GetVehiclePhoto200JSONResponse{Body: linkOf(l), Headers: api.GetVehiclePhoto200ResponseHeaders{ETag: etag(l.Version)}}, nil
}

// GetVehicleDoc answers a document link.
func (s *Service) GetVehicleDoc(ctx context.Context, r api.GetVehicleDocRequestObject) (api.GetVehicleDocResponseObject, error) {
	l, err := s.getLink(ctx, r.VehicleID, r.ID, kindDoc)
	if err != nil {
		return nil, err
	}
	return api.GetVehicleDoc200JSONResponse{Body: linkOf(l), Headers: api.GetVehicleDoc200ResponseHeaders{ETag: etag(l.Version)}}, nil
}

// AddVehiclePhoto appends a photo link.
func (s *Service) AddVehiclePhoto(ctx context.Context, r api.AddVehiclePhotoRequestObject) (api.AddVehiclePhotoResponseObject, error) {
	return s.addLink(ctx, "addVehiclePhoto", r.Params.IdempotencyKey, r.VehicleID, kindPhoto, "photos", r.Body)
}

// AddVehicleDoc appends a document link.
func (s *Service) AddVehicleDoc(ctx context.Context, r api.AddVehicleDocRequestObject) (api.AddVehicleDocResponseObject, error) {
	return s.addLink(ctx, "addVehicleDoc", r.Params.IdempotencyKey, r.VehicleID, kindDoc, "docs", r.Body)
}

// UpdateVehiclePhoto shows or hides a photo link.
func (s *Service) UpdateVehiclePhoto(ctx context.Context, r api.UpdateVehiclePhotoRequestObject) (api.UpdateVehiclePhotoResponseObject, error) {
	l, err := s.updateLink(ctx, r.VehicleID, r.ID, kindPhoto, r.Params.IfMatch, r.Body.IsActive)
	if err != nil {
		return nil, err
	}
	return api.UpdateVehiclePhoto200JSONResponse{Body: linkOf(l), Headers: api.UpdateVehiclePhoto200ResponseHeaders{ETag: etag(l.Version)}}, nil
}

// UpdateVehicleDoc shows or hides a document link.
func (s *Service) UpdateVehicleDoc(ctx context.Context, r api.UpdateVehicleDocRequestObject) (api.UpdateVehicleDocResponseObject, error) {
	l, err := s.updateLink(ctx, r.VehicleID, r.ID, kindDoc, r.Params.IfMatch, r.Body.IsActive)
	if err != nil {
		return nil, err
	}
	return api.UpdateVehicleDoc200JSONResponse{Body: linkOf(l), Headers: api.UpdateVehicleDoc200ResponseHeaders{ETag: etag(l.Version)}}, nil
}

// DeleteVehiclePhoto removes a photo link, not the file.
func (s *Service) DeleteVehiclePhoto(ctx context.Context, r api.DeleteVehiclePhotoRequestObject) (api.DeleteVehiclePhotoResponseObject, error) {
	if err := s.deleteLink(ctx, r.VehicleID, r.ID, kindPhoto, r.Params.IfMatch); err != nil {
		return nil, err
	}
	return api.DeleteVehiclePhoto204Response{}, nil
}

// DeleteVehicleDoc removes a document link, not the file.
func (s *Service) DeleteVehicleDoc(ctx context.Context, r api.DeleteVehicleDocRequestObject) (api.DeleteVehicleDocResponseObject, error) {
	if err := s.deleteLink(ctx, r.VehicleID, r.ID, kindDoc, r.Params.IfMatch); err != nil {
		return nil, err
	}
	return api.DeleteVehicleDoc204Response{}, nil
}
