// Short rows of machines: those seen lately, those like this one, those of this owner.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { ApiError } from '@equipment-platform/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useNames } from '../app/people';
import { useCaller } from '../app/session';
import { forget, useShelf } from '../app/shelf';
import { useT } from '../i18n';
import { searchQuery, vehicleQuery, vehiclesQuery } from './data';
import { useType, VehicleCard } from './VehicleCard';

const IN_A_ROW = 4;

export function Row({ title, vehicles, more }: { title: string; vehicles: readonly Vehicle[]; more?: ReactNode }) {
  if (vehicles.length === 0) return null;
  return (
    <section className="stack related" aria-label={title}>
      <div className="row spread">
        <h2>{title}</h2>
        {more}
      </div>
      <div className="cards">
        {vehicles.slice(0, IN_A_ROW).map((vehicle) => (
          <VehicleCard key={vehicle.id} vehicle={vehicle} heading={3} />
        ))}
      </div>
    </section>
  );
}

/** Machines by id, in this order; those that are gone are forgotten. */
export function useVehicles(ids: readonly string[]): { vehicles: Vehicle[]; pending: boolean } {
  const caller = useCaller();
  const found = useQueries({ queries: ids.map((id) => vehicleQuery(id, caller)) });
  const gone = ids.filter((_, index) => found[index]?.error instanceof ApiError && (found[index]?.error as ApiError).status === 404);
  useEffect(() => gone.forEach(forget), [gone]);
  return { vehicles: found.flatMap(({ data }) => (data === undefined ? [] : [data])), pending: found.some(({ isPending }) => isPending) };
}

export function SeenRow({ except }: { except?: string }) {
  const t = useT();
  const seen = useShelf('seen')
    .filter((id) => id !== except)
    .slice(0, IN_A_ROW);
  return <Row title={t('saved.seen')} vehicles={useVehicles(seen).vehicles} />;
}

/** Of the same type, the nearest in meaning first. */
export function LikeThis({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const { title } = useType(vehicle.equipmentTypeId);
  const words = [vehicle.brandName, vehicle.modelName, title, ...vehicle.params.slice(0, 4).map(({ name, value, unit }) => `${name} ${value} ${unit?.code ?? ''}`)].join(', ');
  const query = useQuery(searchQuery(words, { equipmentTypeId: vehicle.equipmentTypeId }, IN_A_ROW + 1));
  return (
    <Row
      title={t('related.like')}
      vehicles={(query.data ?? []).map((match) => match.vehicle).filter(({ id }) => id !== vehicle.id)}
      more={
        <Link to="/equipment" search={{ type: vehicle.equipmentTypeId }}>
          {t('related.allOfType')}
        </Link>
      }
    />
  );
}

export function OfThisOwner({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const nameOf = useNames([vehicle.ownerUserId]);
  const query = useQuery(vehiclesQuery({ view: 'public', page: 1, size: IN_A_ROW + 1, sort: ['createdAt,desc'], ownerUserId: vehicle.ownerUserId }));
  return (
    <Row
      title={t('related.owner', { name: nameOf(vehicle.ownerUserId) })}
      vehicles={(query.data?.content ?? []).filter(({ id }) => id !== vehicle.id)}
      more={
        <Link to="/equipment" search={{ owner: vehicle.ownerUserId }}>
          {t('related.allOfOwner', { count: query.data?.totalElements ?? 0 })}
        </Link>
      }
    />
  );
}
