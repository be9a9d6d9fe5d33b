// Lists with an order of their own: moved by two buttons or, while one of them has the focus, by the arrow keys, Home and End.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../i18n';
import { Sign } from './icons';

/** Moves an element of a list; the second part is the place where the new position is read out. */
export function useOrder<T>(list: readonly T[], change: (next: T[]) => void): [(from: number, to: number) => void, ReactNode] {
  const t = useT();
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    if (to < 0 || to >= list.length || from === to) return;
    const next = [...list];
    next.splice(to, 0, ...next.splice(from, 1));
    setSaid(t('files.moved', { number: to + 1, of: next.length }));
    change(next);
  };
  return [
    move,
    <p key="said" role="status" className="visually-hidden">
      {said}
    </p>,
  ];
}

interface Props {
  index: number;
  last: number;
  /** What is moved. */
  name: string;
  move: (from: number, to: number) => void;
  /** How the list runs. */
  signs?: readonly ['up', 'down'] | readonly ['left', 'right'];
  className?: string;
}

export function MoveButtons({ index, last, name, move, signs = ['up', 'down'], className = 'button icon small' }: Props) {
  const t = useT();
  const buttons = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)] as const;
  const held = useRef<0 | 1 | undefined>(undefined);
  // An element that is put elsewhere in the page loses the focus; who moves it goes on moving it.
  useLayoutEffect(() => {
    if (held.current === undefined) return;
    const [one, other] = held.current === 0 ? buttons : [buttons[1], buttons[0]];
    (one.current?.disabled === true ? other : one).current?.focus();
    held.current = undefined;
  }, [index]);
  const go = (which: 0 | 1, to: number) => {
    if (to < 0 || to > last || to === index) return;
    held.current = which;
    move(index, to);
  };
  const button = (which: 0 | 1) => {
    const to = index + (which === 0 ? -1 : 1);
    const keys: Record<string, number> = { ArrowLeft: index - 1, ArrowUp: index - 1, ArrowRight: index + 1, ArrowDown: index + 1, Home: 0, End: last };
    return (
      <button
        ref={buttons[which]}
        type="button"
        className={className}
        disabled={to < 0 || to > last}
        aria-label={t(which === 0 ? 'files.up' : 'files.down', { file: name })}
        aria-keyshortcuts="ArrowUp ArrowDown Home End"
        onClick={() => go(which, to)}
        onKeyDown={(event) => {
          const target = keys[event.key];
          if (target === undefined) return;
          event.preventDefault();
          go(which, target);
        }}
      >
        <Sign name={signs[which]} size={16} />
      </button>
    );
  };
  return (
    <>
      {button(0)}
      {button(1)}
    </>
  );
}
