// The way to the sign-in and back to this page.
import { Link, useRouterState } from '@tanstack/react-router';
import { useT } from '../i18n';

export function SignInLink({ className, onClick }: { className?: string; onClick?: () => void }) {
  const t = useT();
  const here = useRouterState({ select: (state) => state.location.href });
  return (
    <Link to="/sign-in" search={here.startsWith('/sign-in') ? {} : { back: here }} className={className} onClick={onClick}>
      {t('session.signIn')}
    </Link>
  );
}
