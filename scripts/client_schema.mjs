/**
 * `npm run docs:client`: writes the types of clients/typescript from the OpenAPI document of the build. With --check it writes nothing and ends with
 * code 1 when they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
// Its decorators need the metadata of the framework.
require('@midwayjs/core');
const { ROUTES } = require('../dist/src/routes.js');
const { createOpenApi } = require('../dist/src/controller/openapi.js');

const FILE = join(root, 'clients/typescript/src/schema.ts');
const HEAD = '/** Types of every route, made from the OpenAPI document by `npm run docs:client`. */\n\n';

const document = createOpenApi(ROUTES, { version: '0.1.0', locale: 'en' });
const text = HEAD + astToString(await openapiTypescript(structuredClone(document)));
if (text !== readFileSync(FILE, { encoding: 'utf8', flag: 'a+' })) {
  if (process.argv.includes('--check')) {
    console.error('The types in clients/typescript/src/schema.ts differ from the routes: run "npm run docs:client".');
    process.exitCode = 1;
  } else writeFileSync(FILE, text);
}
