// Before the exchange: the caller's role, and a connection to the provider.
import { ApiError } from '@equipment-platform/client';
import { getAuthSettings } from '@equipment-platform/client/gateway';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n';
import { Notice, PageHead } from '../ui/basics';
import { describe } from '../ui/errors';
import { TextField } from '../ui/fields';
import { Form } from '../ui/form';
import { Failure, Guard, PageFailure } from '../ui/states';
import { gateway, setPartnerToken, usePartnerToken } from './exchange';

export function ExchangeGate({ write = false, children }: { write?: boolean; children: ReactNode }) {
  const token = usePartnerToken();
  return <Guard permission={write ? 'EXCHANGE_WRITE' : 'EXCHANGE_READ'}>{token === undefined ? <Connect /> : children}</Guard>;
}

/** Sends the reader to the provider's sign-in, which comes back to the callback page. */
export function Connect() {
  const t = useT();
  const [token, setToken] = useState('');
  const connect = useMutation({
    mutationFn: async () => {
      const { data } = await getAuthSettings({ client: gateway() });
      const target = new URL(data.authorizationEndpoint);
      const parameters = {
        client_id: data.clientId,
        redirect_uri: data.redirectUri,
        response_type: data.responseType,
        scope: data.scope,
        state: data.state,
        nonce: data.nonce,
        code_challenge: data.codeChallenge,
        code_challenge_method: data.codeChallengeMethod,
      };
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      window.location.assign(target);
    },
  });
  return (
    <>
      <PageHead title={t('connect.title')} lead={t('connect.lead')} />
      <div className="form">
        {connect.isError && <Notice kind="danger">{describe(connect.error, t)}</Notice>}
        <div>
          <button type="button" className="button primary" disabled={connect.isPending} onClick={() => connect.mutate()}>
            {t('connect.button')}
          </button>
        </div>
        <Form className="panel stack" errors={{}} busy={false} submit={() => setPartnerToken(token.trim())}>
          <TextField label={t('connect.token')} hint={t('connect.tokenHint')} value={token} onChange={setToken} mono />
          <div>
            <button type="submit" className="button" disabled={token.trim() === ''}>
              {t('connect.use')}
            </button>
          </div>
        </Form>
      </div>
    </>
  );
}

/** A failure of the exchange; one about the connection offers to connect again. */
export function ExchangeFailure({ error, retry, page = false }: { error: unknown; retry: () => void; page?: boolean }) {
  const t = useT();
  if (error instanceof ApiError && error.code === 'upstream_unauthorized') {
    return (
      <Notice
        kind="warn"
        action={
          <button
            type="button"
            className="button"
            onClick={() => {
              setPartnerToken(undefined);
              retry();
            }}
          >
            {t('connect.again')}
          </button>
        }
      >
        {describe(error, t)}
      </Notice>
    );
  }
  return page ? <PageFailure error={error} retry={retry} /> : <Failure error={error} retry={retry} />;
}
