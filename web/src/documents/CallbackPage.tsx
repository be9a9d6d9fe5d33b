// Coming back from the provider's sign-in.
import { exchangeAuthCode } from '@equipment-platform/client/gateway';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Notice, PageHead, Skeleton } from '../ui/basics';
import { describe } from '../ui/errors';
import { Guard } from '../ui/states';
import { gateway, setPartnerToken } from './exchange';

const route = getRouteApi('/callback');

export function CallbackPage() {
  return (
    <Guard permission="EXCHANGE_READ">
      <Finish />
    </Guard>
  );
}

function Finish() {
  const t = useT();
  const { code, state, error } = route.useSearch();
  const navigate = useNavigate();
  const begun = useRef(false);
  const exchange = useMutation({
    mutationFn: async (answer: { code: string; state: string }) => (await exchangeAuthCode({ client: gateway(), body: answer })).data,
    onSuccess: async ({ accessToken }) => {
      setPartnerToken(accessToken);
      toast(t('connect.done'));
      await navigate({ to: '/documents', replace: true });
    },
  });
  const { mutate } = exchange;
  useEffect(() => {
    // A code works once: never twice for one visit.
    if (begun.current || code === undefined || state === undefined) return;
    begun.current = true;
    mutate({ code, state });
  }, [code, state, mutate]);
  const failed = exchange.isError ? describe(exchange.error, t) : code === undefined || state === undefined ? t('connect.refused', { reason: error ?? '' }) : undefined;
  return (
    <>
      <PageHead title={t('connect.title')} />
      {failed === undefined ? (
        <Skeleton height="6rem" />
      ) : (
        <Notice
          kind="danger"
          action={
            <Link to="/documents" className="button">
              {t('connect.again')}
            </Link>
          }
        >
          {failed}
        </Notice>
      )}
    </>
  );
}
