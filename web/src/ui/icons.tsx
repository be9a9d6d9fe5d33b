// Line drawings. What belongs here: the app's mark and small signs; machines are in machines.tsx.
import type { ReactNode } from 'react';

export function Drawing({ size = 20, width = 1.8, box = 24, children }: { size?: number; width?: number; box?: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${box} ${box}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const SIGNS = {
  mark: 'M4 16h10a2.5 2.5 0 0 1 0 5H4a2.5 2.5 0 0 1 0-5ZM6 16v-5h5l2.5 5M10 11l5-7 4.5 4.5-.5 4.5-3.5-1',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z',
  half: 'M12 3a9 9 0 1 1 0 18ZM12 3v18M12 3a9 9 0 0 0 0 18',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  heart: 'M12 20s-7.5-4.6-9-9.2C2 7.4 4.2 5 7 5c2.2 0 3.8 1.2 5 3 1.2-1.8 2.8-3 5-3 2.8 0 5 2.4 4 5.8C19.5 15.4 12 20 12 20Z',
  compare: 'M8 4v16M16 4v16M4 8h8M12 16h8',
  check: 'M5 13l5 5L19 7',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7Z',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  upload: 'M12 16V5M7 10l5-5 5 5M4 16v4h16v-4',
  close: 'M6 6l12 12M18 6 6 18',
  filter: 'M4 6h16M7 12h10M10 18h4',
  plus: 'M12 5v14M5 12h14',
  file: 'M6 3h8l5 5v13H6ZM14 3v5h5',
} as const;

export function Sign({ name, size }: { name: keyof typeof SIGNS; size?: number }) {
  return (
    <Drawing {...(size !== undefined && { size })}>
      <path d={SIGNS[name]} />
    </Drawing>
  );
}
