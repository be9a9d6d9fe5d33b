// The state of a document's flow in one badge.
import type { DocflowStatusV3 } from '@equipment-platform/client/gateway';
import { useT } from '../i18n';

const KINDS: Record<string, string> = { Success: 'ok', Warning: 'warn', Error: 'danger', Info: 'accent' };

export function FlowBadge({ status }: { status: DocflowStatusV3 }) {
  const t = useT();
  const { Severity, StatusText } = status.PrimaryStatus;
  return <span className={`badge ${KINDS[Severity ?? ''] ?? ''}`}>{StatusText === undefined ? t('documents.noState') : (t.maybe(`status.${StatusText}`) ?? StatusText)}</span>;
}
