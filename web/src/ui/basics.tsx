// Small parts of every page: heading, states, ratings, plates, photos, notices.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { fileUrl, hasFiles, SIZES, srcSetOf } from '../app/files';
import { useT } from '../i18n';
import { Sign } from './icons';
import { type Machine, MachineDrawing } from './machines';

/** The page's heading; it gets the focus after a change of page, so that it is read out. */
export function PageHead({ title, lead, crumbs, children }: { title: string; lead?: ReactNode; crumbs?: ReactNode; children?: ReactNode }) {
  useTitle(title);
  return (
    <header>
      {crumbs !== undefined && <p className="crumbs">{crumbs}</p>}
      <div className="page-head">
        <div className="stack tight">
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {children !== undefined && <div className="row">{children}</div>}
      </div>
    </header>
  );
}

export function useTitle(title: string): void {
  const t = useT();
  useEffect(() => {
    document.title = title === '' ? t('app.name') : `${title} · ${t('app.name')}`;
  }, [title, t]);
}

export function Empty({ title, children, sign = 'search' }: { title: string; children?: ReactNode; sign?: 'search' | 'file' | 'plus' | 'heart' }) {
  return (
    <div className="empty">
      <Sign name={sign} size={36} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Skeleton({ height, width = '100%' }: { height: string; width?: string }) {
  return <div className="skeleton" style={{ height, width }} />;
}

/** What stands where something is still being read; as high as what will come. */
export function Loading({ children }: { children: ReactNode }) {
  const t = useT();
  return (
    <div role="status" aria-label={t('state.loading')}>
      {children}
    </div>
  );
}

export function Notice({ kind = 'info', children, action }: { kind?: 'info' | 'danger' | 'warn' | 'ok'; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'danger' || kind === 'warn' ? 'alert' : 'status'}>
      <div>{children}</div>
      {action}
    </div>
  );
}

export function Stars({ average, count }: { average: number; count: number }) {
  const t = useT();
  if (count === 0) return <span className="muted small">{t('rating.none')}</span>;
  return (
    <span className="stars">
      <svg width="15" height="15" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path d="m12 2.5 2.9 6.2 6.8.8-5 4.6 1.3 6.7-6-3.3-6 3.3 1.3-6.7-5-4.6 6.8-.8Z" />
      </svg>
      <span className="visually-hidden">{t('rating.label', { average, count })}</span>
      <span aria-hidden="true">
        <b>{t.number(average, { minimumFractionDigits: 1, maximumFractionDigits: 2 })}</b> <span className="muted">({t.number(count)})</span>
      </span>
    </span>
  );
}

export function Plate({ value }: { value: string }) {
  return <span className="plate">{value}</span>;
}

interface PhotoProps {
  fileId?: string | undefined;
  /** Drawn where there is no picture, or while there is no file service. */
  machine: Machine;
  /** What it shows; empty where the text beside it says so already. */
  alt?: string;
  /** How wide it is shown, as in HTML. */
  sizes?: string;
  /** It is seen at once: it does not wait until it comes into sight. */
  eager?: boolean;
  /** It is there, or it will not be. */
  onSettled?: () => void;
  children?: ReactNode;
}

export function Photo({ fileId, machine, alt = '', sizes = SIZES.card, eager = false, onSettled, children }: PhotoProps) {
  const [missing, setMissing] = useState<string>();
  const shown = fileId !== undefined && fileId !== missing && hasFiles();
  return (
    <div className="photo" style={{ '--hue': hueOf(machine) } as React.CSSProperties}>
      {shown ? (
        <img
          src={fileUrl(fileId, 480)}
          srcSet={srcSetOf(fileId)}
          sizes={sizes}
          alt={alt}
          width={480}
          height={300}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          draggable={false}
          {...(eager && { fetchPriority: 'high' as const })}
          onLoad={onSettled}
          onError={() => {
            setMissing(fileId);
            onSettled?.();
          }}
        />
      ) : (
        <MachineDrawing machine={machine} />
      )}
      {children}
    </div>
  );
}

function hueOf(text: string): number {
  let hash = 7;
  for (const char of text) hash = (hash * 31 + char.charCodeAt(0)) % 360;
  return hash;
}

export function Visibility({ active }: { active: boolean }) {
  const t = useT();
  return active ? <span className="badge ok">{t('state.visible')}</span> : <span className="badge warn">{t('state.hidden')}</span>;
}

/** A dialog of the platform: it keeps the focus inside and closes with Escape. */
export function Dialog({ title, onClose, className, children }: { title: string; onClose: () => void; className?: 'wide' | 'viewer'; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title} className={className}>
      <div className="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
