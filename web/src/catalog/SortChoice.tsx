// The order of a list of vehicles.
import { VEHICLE_SORTS } from '../app/places';
import { useT } from '../i18n';
import { SelectField } from '../ui/fields';

export function SortChoice({ value, change }: { value: string; change: (sort: (typeof VEHICLE_SORTS)[number] | undefined) => void }) {
  const t = useT();
  return (
    <SelectField
      label={t('sort.label')}
      hiddenLabel
      value={value}
      options={VEHICLE_SORTS.map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
      onChange={(next) => change(VEHICLE_SORTS.find((sort) => sort === next && sort !== VEHICLE_SORTS[0]))}
    />
  );
}
