// How far signing or sending is, and why it ended without a result.
import { useT, type Translator } from '../i18n';
import { describe } from '../ui/errors';
import type { SendProgress } from './sending';
import { SigningFailed } from './signing';

const STEPS = ['uploading', 'starting', 'confirming', 'adding', 'sending'];

export function SigningProgress({ progress }: { progress: SendProgress | undefined }) {
  const t = useT();
  const step = progress?.step ?? 'starting';
  const phone = progress !== undefined && 'phone' in progress ? progress.phone : undefined;
  return (
    <div className="stack tight" role="status">
      <progress aria-label={t('sign.progress')} max={STEPS.length} value={STEPS.indexOf(step) + 1} />
      <p>{step === 'confirming' && phone !== undefined ? t('sign.step.confirmingPhone', { phone }) : t(`sign.step.${step}`)}</p>
    </div>
  );
}

export function describeSigning(error: unknown, t: Translator): string {
  if (!(error instanceof SigningFailed)) return describe(error, t);
  return t.maybe(`sign.failed.${error.status}`) ?? t('sign.failed', { status: error.status });
}
