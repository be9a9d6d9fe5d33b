// A vehicle in a list, and the room it takes while it is being read.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n';
import { Photo, Stars } from '../ui/basics';
import { type Machine, machineOf } from '../ui/machines';
import { typesQuery } from './data';
import { ParamValue } from './ParamValue';

/** The title of a type in the reader's language, and the drawing that stands for it; nothing of either while it is not known. */
export function useTypeOf(): (id: string) => { title: string; machine: Machine } {
  const t = useT();
  const { data } = useQuery(typesQuery);
  return (id) => {
    const title = data?.find((type) => type.id === id)?.title;
    return { title: title === undefined ? '' : t.called(title), machine: machineOf(title) };
  };
}

export function VehicleCard({ vehicle, badge, children }: { vehicle: Vehicle; badge?: ReactNode; children?: ReactNode }) {
  const t = useT();
  const { title, machine } = useTypeOf()(vehicle.equipmentTypeId);
  const [photo] = vehicle.photoFileIds;
  return (
    <article className="card">
      <Photo machine={machine} {...(photo !== undefined && { fileId: photo })}>
        {badge}
      </Photo>
      <div className="body">
        <div>
          <h2>
            <Link to="/equipment/$id" params={{ id: vehicle.id }}>
              {vehicle.brandName} {vehicle.modelName}
            </Link>
          </h2>
          <p className="muted small one-line" title={title}>
            <span>{title || '\u00a0'}</span>
            {vehicle.releaseYear !== null && <span>{title === '' ? vehicle.releaseYear : `· ${vehicle.releaseYear}`}</span>}
          </p>
        </div>
        <Stars average={vehicle.ratingAvg} count={vehicle.ratingCount} />
        {vehicle.params.length === 0 ? (
          <p className="muted small">{t('vehicle.noParams')}</p>
        ) : (
          <dl>
            {vehicle.params.slice(0, 3).map((param) => (
              <FactRow key={param.paramId} name={t.called(param.name)}>
                <ParamValue param={param} />
              </FactRow>
            ))}
          </dl>
        )}
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
