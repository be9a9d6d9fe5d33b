// What is being signed or sent while other pages are shown: it is carried on from here, and found again.
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dropJob, type Job, useJobs } from '../app/jobs';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Sign } from '../ui/icons';
import { usePartnerToken } from './exchange';
import { JobProgress } from './JobProgress';
import { resumeAll } from './running';

export default function JobTray() {
  const t = useT();
  const jobs = useJobs();
  const token = usePartnerToken();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    if (token !== undefined) resumeAll();
  }, [token]);
  const hereNow = (job: Job) => job.document !== undefined && path === `/documents/${job.document.messageId}/${job.document.entityId}`;
  const seen = jobs.find((job) => job.done === true && hereNow(job));
  useEffect(() => {
    if (seen === undefined) return;
    toast(t(`job.done.${seen.kind}`));
    dropJob(seen.id);
  }, [seen, t]);
  // A document's own page shows its job.
  const shown = jobs.filter((job) => !hereNow(job));
  if (shown.length === 0) return null;
  return (
    <aside className="tray" aria-label={t('job.title')}>
      {shown.map((job) => (
        <section key={job.id} className="stack tight">
          <div className="row spread">
            <b>
              {job.document === undefined ? (
                job.title
              ) : (
                <Link to="/documents/$messageId/$entityId" params={job.document}>
                  {job.title}
                </Link>
              )}
            </b>
            {job.done === true && (
              <button type="button" className="button quiet icon small" aria-label={t('job.dismiss', { title: job.title })} onClick={() => dropJob(job.id)}>
                <Sign name="close" size={16} />
              </button>
            )}
          </div>
          {job.done === true ? <p role="status">{t(`job.done.${job.kind}`)}</p> : token === undefined ? <p>{t('job.connect')}</p> : <JobProgress job={job} />}
        </section>
      ))}
    </aside>
  );
}
