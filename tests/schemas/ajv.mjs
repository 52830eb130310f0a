// Validates lines of JSON {definition, value} against a schema with ajv and prints one line for each: the errors, or [].
//
//     node tests/schemas/ajv.mjs schemas/json/v1/protocol.json < lines

import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

const schema = JSON.parse(readFileSync(process.argv[2], "utf8"));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
ajv.addVocabulary(["discriminator"]);
ajv.addSchema(schema);

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { definition, value } = JSON.parse(line);
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${definition}`);
  validate(value);
  console.log(JSON.stringify((validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)));
}
