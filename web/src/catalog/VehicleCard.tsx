// A vehicle in a list, and the room it takes while it is being read.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n';
import { Photo, Stars } from '../ui/basics';
import { machineOf } from '../ui/icons';
import { typesQuery } from './data';
import { ParamValue } from './ParamValue';

export function useTypeTitle(): (id: string) => string {
  const { data } = useQuery(typesQuery);
  return (id) => data?.find((type) => type.id === id)?.title ?? '';
}

export function VehicleCard({ vehicle, badge, children }: { vehicle: Vehicle; badge?: ReactNode; children?: ReactNode }) {
  const t = useT();
  const title = useTypeTitle()(vehicle.equipmentTypeId);
  const [photo] = vehicle.photoFileIds;
  return (
    <article className="card">
      <Photo machine={machineOf(title)} {...(photo !== undefined && { fileId: photo })}>
        {badge}
      </Photo>
      <div className="body">
        <div>
          <h3>
            <Link to="/equipment/$id" params={{ id: vehicle.id }}>
              {vehicle.brandName} {vehicle.modelName}
            </Link>
          </h3>
          <p className="muted small">
            {title || '\u00a0'}
            {vehicle.releaseYear !== null && ` · ${vehicle.releaseYear}`}
          </p>
        </div>
        <Stars average={vehicle.ratingAvg} count={vehicle.ratingCount} />
        <dl>
          {vehicle.params.slice(0, 3).map((param) => (
            <FactRow key={param.paramId} name={param.name}>
              <ParamValue param={param} />
            </FactRow>
          ))}
          {vehicle.params.length === 0 && <dt>{t('vehicle.noParams')}</dt>}
        </dl>
        {children}
      </div>
    </article>
  );
}

function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function CardSkeletons({ count = 8 }: { count?: number }) {
  return (
    <div className="cards">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="card skeleton" />
      ))}
    </div>
  );
}
