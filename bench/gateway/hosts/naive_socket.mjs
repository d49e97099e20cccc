/** The naive loop behind Socket.IO: one packet per delta. */
import { runTurn } from './naive_agent.mjs';
import { serveSockets } from './serve_sockets.mjs';

serveSockets(runTurn);
