// Names of people where a user directory is set up; elsewhere their ids.
import { useQueries } from '@tanstack/react-query';
import { settings } from './settings';

/** What a directory may call a person, the first that is there. */
const FIELDS = ['displayName', 'name', 'fullName'] as const;

async function read(template: string, subject: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(template.replace('{sub}', encodeURIComponent(subject)), { signal, headers: { Accept: 'application/json' } });
  if (!answer.ok) return subject;
  const person = (await answer.json()) as Record<string, unknown>;
  return FIELDS.map((field) => person[field]).find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? subject;
}

/** Gives the names of these people as they become known; a directory that fails leaves the ids. */
export function useNames(subjects: readonly (string | undefined)[]): (subject: string) => string {
  const template = settings().usersUrl;
  const asked = template === undefined ? [] : [...new Set(subjects.filter((one) => one !== undefined))];
  const found = useQueries({
    queries: asked.map((subject) => ({
      queryKey: ['people', subject],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(template ?? '', subject, signal),
      staleTime: 600_000,
      retry: false,
    })),
  });
  return (subject) => found[asked.indexOf(subject)]?.data ?? subject;
}
