// Which of the caller's own machines are hidden, as far as this browser has seen: everybody's view does not have them,
// so they are asked for as their owner's at once. Kept for each person, ids alone.
import { currentCaller } from './session';
import { kept } from './storage';

const MOST = 500;
const key = () => `equipment.hidden/${encodeURIComponent(currentCaller()?.subject ?? '')}`;

function read(): string[] {
  try {
    const list = JSON.parse(kept.read(key()) ?? '[]') as unknown;
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export const isHidden = (id: string): boolean => read().includes(id);

interface Machine {
  id: string;
  ownerUserId: string;
  isActive: boolean;
}

/** Takes down what an answer says of the caller's machines, and gives it on. */
export function noted<T extends Machine>(machine: T): T {
  if (machine.ownerUserId !== currentCaller()?.subject) return machine;
  const before = read();
  if (before.includes(machine.id) !== machine.isActive) return machine;
  const others = before.filter((id) => id !== machine.id);
  const next = machine.isActive ? others : [machine.id, ...others].slice(0, MOST);
  if (next.length === 0) kept.remove(key());
  else kept.write(key(), JSON.stringify(next));
  return machine;
}
