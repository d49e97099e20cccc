/** DOOR 6, Durable Streams: the log of a run, read by offset. */
import type { Feature } from '../../feature';
import { StreamController } from './routes';

export const streamDoor: Feature = { name: 'stream_door', routes: [StreamController], doorPath: '/streams' };
