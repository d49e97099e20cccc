/**
 * Writes clients/typescript/src/schema.ts, the types of every route, from the sources of the server. The file is not in git: the build, the check and
 * the build of the client make it first, because `neta` and the pages are compiled with these types.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { root } from './build_if_needed.mjs';

const FILE = join(root, 'clients/typescript/src/schema.ts');
const HEAD = '/** Types of every route, made from the OpenAPI document by `npm run docs:client`. */\n\n';
const SWC = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
};

Module._extensions['.ts'] = (module, filename) =>
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...SWC, filename }).code, filename);
const require = createRequire(import.meta.url);
// Its decorators need the metadata of the framework.
require('@midwayjs/core');
const { ROUTES } = require('../src/routes.ts');
const { createOpenApi } = require('../src/controller/openapi.ts');

const { version } = require('../package.json');
const document = createOpenApi(ROUTES, { version, locale: 'en' });
const text = HEAD + astToString(await openapiTypescript(structuredClone(document)));
if (text !== readFileSync(FILE, { encoding: 'utf8', flag: 'a+' })) writeFileSync(FILE, text);
