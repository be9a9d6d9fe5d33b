// Links to the parts of a page in one line; on a phone it scrolls, with the part that is shown in sight.
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  const address = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.href });
  useEffect(() => {
    const [element, active] = [bar.current, bar.current?.querySelector<HTMLElement>('.active')];
    if (element !== null && active) element.scrollLeft = active.offsetLeft - (element.clientWidth - active.offsetWidth) / 2;
  }, [address]);
  return (
    <nav ref={bar} className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}
