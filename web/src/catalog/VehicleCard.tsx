// A vehicle in a list, and the room it takes while it is being read.
import type { Vehicle, VehicleParam } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n';
import { Photo, Stars } from '../ui/basics';
import { type Machine, machineOf } from '../ui/machines';
import { titlesOf, titlesQuery, typesQuery } from './data';
import { ParamValue } from './ParamValue';
import { CompareButton, FavouriteButton } from './ShelfButtons';

/** The title of a type in the reader's language, and the drawing that stands for it; nothing of either while it is not known. */
export function useType(id: string): { title: string; machine: Machine } {
  const t = useT();
  const titles = useQuery({ ...titlesQuery, select: titlesOf });
  // Of a type that nothing is offered of, its owners still have hidden machines.
  const rest = useQuery({ ...typesQuery, enabled: titles.data !== undefined && titles.data[id] === undefined });
  const title = titles.data?.[id] ?? rest.data?.find((type) => type.id === id)?.title;
  return { title: title === undefined ? '' : t.called(title), machine: machineOf(title) };
}

const WEIGHTS: Partial<Record<VehicleParam['valueType'], number>> = { NUMBER: 0, INTEGER: 0, STRING: 1, BOOLEAN: 2, DATE: 3 };

/** What a machine is chosen by comes first: figures in the order of its type, then words, then the rest. */
export function telling(params: readonly VehicleParam[]): VehicleParam[] {
  const weight = ({ valueType }: VehicleParam) => WEIGHTS[valueType] ?? 4;
  return params.map((param, index) => ({ param, index })).sort((a, b) => weight(a.param) - weight(b.param) || a.index - b.index).map(({ param }) => param);
}

interface Props {
  vehicle: Vehicle;
  badge?: ReactNode;
  children?: ReactNode;
  /** One of the first: its picture is not waited with. */
  eager?: boolean;
  /** The level of its heading. */
  heading?: 2 | 3;
}

export function VehicleCard({ vehicle, badge, children, eager = false, heading = 2 }: Props) {
  const t = useT();
  const { title, machine } = useType(vehicle.equipmentTypeId);
  const [photo] = vehicle.photoFileIds;
  const Heading = `h${heading}` as const;
  return (
    <article className="card">
      <Photo machine={machine} fileId={photo} eager={eager}>
        {badge}
      </Photo>
      <div className="body">
        <div>
          <Heading>
            <Link to="/equipment/$id" params={{ id: vehicle.id }}>
              {vehicle.brandName} {vehicle.modelName}
            </Link>
          </Heading>
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
            {telling(vehicle.params)
              .slice(0, 3)
              .map((param) => (
                <FactRow key={param.paramId} name={t.called(param.name)}>
                  <ParamValue param={param} />
                </FactRow>
              ))}
          </dl>
        )}
        {children ?? (
          <div className="row above">
            <CompareButton vehicle={vehicle} />
          </div>
        )}
      </div>
      <FavouriteButton vehicle={vehicle} />
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
