// Signing in: one of the development stack's people, or a token from elsewhere.
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '../i18n';
import { PageHead } from '../ui/basics';
import { TextField } from '../ui/fields';
import { Form } from '../ui/form';
import { readToken, signIn } from './session';
import { settings, type Person } from './settings';
import { toast } from './toast';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useT();
  const { back = '/' } = route.useSearch();
  const router = useRouter();
  const people = settings().people ?? [];
  const enter = (token: string): boolean => {
    const caller = readToken(token);
    if (caller === undefined) return false;
    signIn(caller);
    toast(t('session.welcome', { subject: caller.subject }));
    router.history.replace(back);
    return true;
  };
  return (
    <>
      <PageHead title={t('session.title')} lead={t(people.length > 0 ? 'session.leadPeople' : 'session.leadToken')} />
      <div className="stack wide form">
        {people.length > 0 && (
          <section className="stack" aria-label={t('session.people')}>
            <div className="people">
              {people.map((person) => (
                <PersonButton key={person.subject} person={person} enter={() => enter(person.token)} />
              ))}
            </div>
          </section>
        )}
        <TokenForm enter={enter} />
      </div>
    </>
  );
}

function PersonButton({ person, enter }: { person: Person; enter: () => void }) {
  const t = useT();
  return (
    <button type="button" className="button" onClick={enter}>
      <b>{t.maybe(`person.${person.name}`) ?? person.name}</b>
      <span className="muted small">{person.subject}</span>
      <span className="muted small">{person.roles.join(', ')}</span>
    </button>
  );
}

function TokenForm({ enter }: { enter: (token: string) => boolean }) {
  const t = useT();
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  return (
    <Form
      className="stack panel"
      errors={error === undefined ? {} : { token: error }}
      busy={false}
      submit={() => {
        const expires = readToken(token)?.expires;
        if (expires !== undefined && expires * 1000 <= Date.now()) setError(t('session.expired'));
        else if (!enter(token)) setError(t('session.badToken'));
      }}
    >
      <TextField label={t('session.token')} hint={t('session.tokenHint')} value={token} onChange={setToken} error={error} multiline mono />
      <div>
        <button type="submit" className="button primary" disabled={token.trim() === ''}>
          {t('session.signIn')}
        </button>
      </div>
    </Form>
  );
}
