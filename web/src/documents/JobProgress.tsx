// How far a job is, why it stopped, and what can be done about it.
import { dropJob, type Job } from '../app/jobs';
import { useT, type Translator } from '../i18n';
import { Notice } from '../ui/basics';
import { tryAgain } from './running';

const STEPS = ['uploading', 'starting', 'confirming', 'adding', 'sending'];

export function describeFailure(job: Job, t: Translator): string {
  return t.maybe(job.failed ?? '') ?? t('sign.failed', { status: (job.failed ?? '').replace(/^.*\./, '') });
}

export function JobProgress({ job }: { job: Job }) {
  const t = useT();
  if (job.failed !== undefined) {
    return (
      <div className="stack tight">
        <Notice kind="danger">{describeFailure(job, t)}</Notice>
        <div className="row">
          <button type="button" className="button primary" onClick={() => tryAgain(job.id)}>
            {t('action.retry')}
          </button>
          <button type="button" className="button quiet" onClick={() => dropJob(job.id)}>
            {t('job.giveUp')}
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="stack tight" role="status">
      <progress aria-label={t('sign.progress')} max={STEPS.length} value={STEPS.indexOf(job.step) + 1} />
      <p>{job.step === 'confirming' && job.phone !== undefined ? t('sign.step.confirmingPhone', { phone: job.phone }) : t(`sign.step.${job.step}`)}</p>
      <p className="muted small">{t(job.step === 'uploading' ? 'job.stay' : 'job.goesOn')}</p>
    </div>
  );
}
