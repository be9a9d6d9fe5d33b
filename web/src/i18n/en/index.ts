// All English texts.
import { app } from './app';
import { documents } from './documents';
import { errors } from './errors';
import { manage } from './manage';

export const en = { ...app, ...errors, ...manage, ...documents };
