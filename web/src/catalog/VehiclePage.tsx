// One vehicle: what it is, what it can, what others say about it.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useNames } from '../app/people';
import { may, useCaller } from '../app/session';
import { markSeen } from '../app/shelf';
import { useT } from '../i18n';
import { PageHead, Plate, Skeleton, Stars, Visibility } from '../ui/basics';
import { Sign } from '../ui/icons';
import { Shown } from '../ui/states';
import { WhenNear } from '../ui/WhenNear';
import { vehicleQuery } from './data';
import { FileLinks } from './FileLinks';
import { Gallery } from './Gallery';
import { CopyLink } from './ListTools';
import { ParamTable } from './ParamTable';
import { Ratings } from './Ratings';
import { LikeThis, OfThisOwner, SeenRow } from './Rows';
import { CompareButton, FavouriteButton } from './ShelfButtons';
import { useType } from './VehicleCard';

const route = getRouteApi('/equipment/$id');

export function VehiclePage() {
  const { id } = route.useParams();
  const caller = useCaller();
  const query = useQuery(vehicleQuery(id, caller));
  return (
    <Shown page query={query} skeleton={<VehicleSkeleton />}>
      {(vehicle) => <Details vehicle={vehicle} />}
    </Shown>
  );
}

function Details({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const caller = useCaller();
  const type = useType(vehicle.equipmentTypeId);
  useEffect(() => markSeen(vehicle.id), [vehicle.id]);
  const own = caller?.subject === vehicle.ownerUserId;
  const mayEdit = may(caller, 'VEHICLE_WRITE') && (own || may(caller, 'CATALOG_WRITE'));
  return (
    <article>
      <PageHead
        title={`${vehicle.brandName} ${vehicle.modelName}`}
        crumbs={
          <>
            <Link to="/equipment">{t('nav.browse')}</Link>
            {' / '}
            <Link to="/equipment" search={{ type: vehicle.equipmentTypeId }}>
              {type.title || t('vehicle.type')}
            </Link>
          </>
        }
      >
        {(own || !vehicle.isActive) && <Visibility active={vehicle.isActive} />}
        {mayEdit && (
          <>
            <Link to="/mine/$id/files" params={{ id: vehicle.id }} className="button">
              {t('files.title')}
            </Link>
            <Link to="/mine/$id" params={{ id: vehicle.id }} className="button">
              {t('action.edit')}
            </Link>
          </>
        )}
      </PageHead>
      <div className="vehicle">
        <div className="stack wide">
          <Gallery name={`${vehicle.brandName} ${vehicle.modelName}`} files={vehicle.photoFileIds} machine={type.machine} />
          <Parameters vehicle={vehicle} />
          <Documents vehicle={vehicle} />
        </div>
        <div className="stack wide">
          <Facts vehicle={vehicle} typeTitle={type.title} />
          <Tools vehicle={vehicle} />
          <WhenNear key={vehicle.id}>
            <Ratings vehicle={vehicle} />
          </WhenNear>
        </div>
      </div>
      <div className="stack wide rows">
        <WhenNear key={vehicle.id}>
          <LikeThis vehicle={vehicle} />
          <OfThisOwner vehicle={vehicle} />
          <SeenRow except={vehicle.id} />
        </WhenNear>
      </div>
    </article>
  );
}

function Parameters({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  return (
    <section className="stack tight">
      <h2>{t('vehicle.params')}</h2>
      <ParamTable vehicle={vehicle} />
    </section>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Tools({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  return (
    <div className="row tools-row">
      <FavouriteButton vehicle={vehicle} labelled />
      <CompareButton vehicle={vehicle} labelled />
      <CopyLink />
      <button type="button" className="button" onClick={() => window.print()}>
        <Sign name="print" size={18} />
        {t('vehicle.print')}
      </button>
    </div>
  );
}

function Documents({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  if (vehicle.docFileIds.length === 0) return null;
  return (
    <section className="stack tight">
      <h2>{t('vehicle.docs')}</h2>
      <FileLinks files={vehicle.docFileIds} />
    </section>
  );
}

function Facts({ vehicle, typeTitle }: { vehicle: Vehicle; typeTitle: string }) {
  const t = useT();
  const nameOf = useNames([vehicle.ownerUserId]);
  return (
    <section className="panel stack">
      <Stars average={vehicle.ratingAvg} count={vehicle.ratingCount} />
      <dl className="facts">
        <Row name={t('vehicle.type')}>{typeTitle || '—'}</Row>
        <Row name={t('vehicle.year')}>{vehicle.releaseYear ?? '—'}</Row>
        <Row name={t('vehicle.plate')}>{vehicle.licensePlate === null ? '—' : <Plate value={vehicle.licensePlate} />}</Row>
        <Row name={t('vehicle.owner')}>
          <Link to="/equipment" search={{ owner: vehicle.ownerUserId }}>
            {nameOf(vehicle.ownerUserId)}
          </Link>
        </Row>
        <Row name={t('vehicle.updated')}>{t.date(vehicle.updatedAt)}</Row>
      </dl>
      {vehicle.searchTags.length > 0 && (
        <ul className="row" aria-label={t('vehicle.tags')}>
          {vehicle.searchTags.map((tag) => (
            <li key={tag.id}>
              <Link to="/equipment" search={{ tag: [tag.id] }} className="chip">
                {t.called(tag.name)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function VehicleSkeleton() {
  return (
    <>
      <div className="stack tight page-head">
        <Skeleton height="1.2rem" width="12rem" />
        <Skeleton height="2.4rem" width="20rem" />
      </div>
      <div className="vehicle">
        <div className="stack wide">
          <div className="skeleton" style={{ aspectRatio: '8 / 5' }} />
          <Skeleton height="20rem" />
        </div>
        <div className="stack wide">
          <Skeleton height="18rem" />
          <Skeleton height="14rem" />
        </div>
      </div>
    </>
  );
}
