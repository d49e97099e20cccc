/** An observer that nothing listens to, and a redactor that knows no secrets. */
import type { Observer } from '../../src/port/observer';
import type { Redactor } from '../../src/port/redactor';

export const NO_OBSERVER: Observer = {
  begin: () => ({ id: 0, trace: undefined, mark() {}, end() {} }),
  note() {},
  listen: () => () => {},
};

export const NO_REDACTOR: Redactor = {
  redact: text => text,
  addSecrets() {},
  setSecrets() {},
  openPieces: () => ({ add: piece => piece, finish: () => '' }),
};
