// What the server that delivers the app tells it about its surroundings.

export interface Person {
  name: string;
  subject: string;
  roles: string[];
  token: string;
}

export interface Settings {
  catalogUrl: string;
  gatewayUrl: string;
  /** Base URL of the file service; without it files are not uploaded and pictures are drawings. */
  filesUrl?: string;
  /** Address template of a user directory, with `{sub}`; without it people are shown by their ids. */
  usersUrl?: string;
  /** The exchange provider's token of the development stack; elsewhere people sign in at the provider. */
  partnerToken?: string;
  /** Ready-made callers of the development stack; elsewhere there are none. */
  people?: Person[];
}

let current: Settings | undefined;

export async function loadSettings(): Promise<Settings> {
  const answer = await fetch('/settings.json');
  if (!answer.ok) throw new Error(`settings.json: HTTP ${answer.status}`);
  return setSettings((await answer.json()) as Settings);
}

export function setSettings(settings: Settings): Settings {
  current = settings;
  return settings;
}

export function settings(): Settings {
  if (current === undefined) throw new Error('settings are not loaded');
  return current;
}
