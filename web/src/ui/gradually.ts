// A long list that is drawn bit by bit: the page answers to its reader in between.
import { useEffect, useState } from 'react';

/** How many of a list are to be drawn: `step` at first, then as many more in each quiet moment, until all are there. */
export function useGradually(all: number, step: number): number {
  const [drawn, setDrawn] = useState(step);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => setDrawn(drawn + step));
    return () => clearTimeout(timer);
  }, [drawn, all, step]);
  return Math.min(drawn, all);
}
