/** Lets a JavaScript tool import the helper as `neta_tool`, and packages of the gateway that it does not bring itself. */
import { registerHooks } from 'node:module';

const HELPER = new URL('./neta_tool.mjs', import.meta.url).href;
/** Packages are searched in dist/node_modules, then in node_modules of the gateway. */
const GATEWAY = new URL('../dist/tool.mjs', import.meta.url).href;
const isPackage = specifier => !/^(\.{0,2}\/|[a-z]+:|#)/.test(specifier);

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'neta_tool') return { url: HELPER, shortCircuit: true };
    try {
      return next(specifier, context);
    } catch (error) {
      if (!isPackage(specifier)) throw error;
      return next(specifier, { ...context, parentURL: GATEWAY });
    }
  },
});
