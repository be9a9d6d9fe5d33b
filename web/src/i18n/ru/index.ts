// All Russian texts.
import { app } from './app';
import { documents } from './documents';
import { errors } from './errors';
import { manage } from './manage';

export { names } from './names';
export const ru = { ...app, ...errors, ...manage, ...documents };
