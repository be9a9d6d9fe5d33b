// Asking before something is deleted.
import { VersionConflict } from '@equipment-platform/client';
import { useT } from '../i18n';
import { Dialog, Notice } from './basics';
import { describe } from './errors';

interface Props {
  title: string;
  text: string;
  /** The word on the button; "Delete" without it. */
  action?: string;
  error: unknown;
  busy: boolean;
  confirm: () => void;
  close: () => void;
  /** Takes up the newer version after a conflict. */
  reload?: () => void;
}

export function ConfirmDialog({ title, text, action, error, busy, confirm, close, reload }: Props) {
  const t = useT();
  const conflict = error instanceof VersionConflict;
  return (
    <Dialog title={title} onClose={close}>
      <p>{text}</p>
      {error !== null && <Notice kind="danger">{conflict ? t('conflict.delete') : describe(error, t)}</Notice>}
      <div className="form-actions">
        {conflict && reload !== undefined ? (
          <button type="button" className="button primary" onClick={reload}>
            {t('conflict.reload')}
          </button>
        ) : (
          <button type="button" className="button danger" disabled={busy} onClick={confirm}>
            {action ?? t('action.delete')}
          </button>
        )}
        <button type="button" className="button quiet" onClick={close}>
          {t('action.cancel')}
        </button>
      </div>
    </Dialog>
  );
}
