// Putting a machine aside: as a favourite, or beside others.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { MOST_COMPARED, toggle, useShelf } from '../app/shelf';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Sign } from '../ui/icons';

interface Props {
  vehicle: Pick<Vehicle, 'id' | 'brandName' | 'modelName'>;
  /** With a word beside the sign. */
  labelled?: boolean;
}

export function FavouriteButton({ vehicle: { id, brandName, modelName }, labelled = false }: Props) {
  const t = useT();
  const on = useShelf('favourites').includes(id);
  const name = `${brandName} ${modelName}`;
  return (
    <button
      type="button"
      className={labelled ? 'button' : 'button icon small heart'}
      aria-pressed={on}
      aria-label={labelled ? undefined : t('shelf.favourite', { name })}
      onClick={() => {
        toggle('favourites', id);
        toast(t(on ? 'shelf.removed' : 'shelf.added', { name }));
      }}
    >
      <Sign name="heart" size={18} />
      {labelled && t(on ? 'shelf.isFavourite' : 'shelf.makeFavourite')}
    </button>
  );
}

export function CompareButton({ vehicle: { id, brandName, modelName }, labelled = false }: Props) {
  const t = useT();
  const compared = useShelf('compared');
  const on = compared.includes(id);
  return (
    <button
      type="button"
      className={labelled ? 'button' : 'button small quiet compare'}
      aria-pressed={on}
      aria-label={labelled ? undefined : t('shelf.compareName', { name: `${brandName} ${modelName}` })}
      onClick={() => {
        if (!on && compared.length === MOST_COMPARED) toast(t('shelf.full', { most: MOST_COMPARED }));
        else toggle('compared', id);
      }}
    >
      <Sign name={on ? 'check' : 'compare'} size={18} />
      {t('shelf.compare')}
    </button>
  );
}
