// Which certificate to sign with; the one marked as default is chosen at first.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useT } from '../i18n';
import { SelectField } from '../ui/fields';
import { ListFailure } from '../ui/states';
import { certificatesQuery, dateOfTicks } from './exchange';

export function CertificateField({ value, onChange, none }: { value: string | undefined; onChange: (thumbprint: string | undefined) => void; none?: string }) {
  const t = useT();
  const query = useQuery(certificatesQuery);
  const certificates = query.data;
  const first = certificates?.find(({ IsDefault }) => IsDefault) ?? certificates?.[0];
  useEffect(() => {
    if (value === undefined && first !== undefined) onChange(first.Thumbprint);
    // only when the certificates arrive: later the choice is the reader's
  }, [first]);
  return (
    <>
      <ListFailure queries={[query]} />
      <SelectField
        label={t('sign.certificate')}
        value={value ?? ''}
        {...(none !== undefined && { none })}
        options={(certificates ?? []).map(({ Thumbprint, OrganizationName, ValidTo }) => ({
          value: Thumbprint,
          label: [OrganizationName ?? Thumbprint.slice(0, 12), ValidTo !== undefined && t('sign.until', { date: t.date(dateOfTicks(ValidTo)) })].filter(Boolean).join(', '),
        }))}
        onChange={(next) => onChange(next === '' ? undefined : next)}
      />
    </>
  );
}
