// When something was made or changed, and by whom.
import { useNames } from '../app/people';
import { useT } from '../i18n';

export function Changed({ at, by }: { at: string; by: string }) {
  const t = useT();
  const nameOf = useNames([by]);
  return (
    <span className="muted small changed" title={t.dateTime(at)}>
      {t.date(at)}
      <br />
      {nameOf(by)}
    </span>
  );
}
