/** Required into a gateway (NODE_OPTIONS) to make it one on a machine without the sandbox's program. */
const children = require('node:child_process');

const { execFile } = children;
children.execFile = (command, ...rest) => execFile(command === 'bwrap' ? 'no-such-program' : command, ...rest);
