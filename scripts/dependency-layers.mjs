// Which way dependencies point: one entry for each layer that has rules of its own. Whoever changes a rule changes it
// here, and gives the reason in a decision record.

/** SDKs whose shapes are translated at the edge, never known in the centre. */
const sdks = /^(@modelcontextprotocol\/|@anthropic-ai\/|@ai-sdk\/|@langchain\/|@google\/genai$|(openai|ai|langchain)$)/

/**
 * `refuses` gets one import (or one declared dependency): the package's `name`, whether it is of this `workspace`, whether
 * the import is `typeOnly`, and whether it is in a `test`. It gives the reason against it, or undefined.
 */
const layers = [
  {
    rule: 'core-is-the-centre',
    folder: /^packages\/core$/,
    refuses: ({ workspace, name }) =>
      workspace || sdks.test(name) ? 'core knows no plugin, no store and no SDK' : undefined,
    wayOut:
      'Let core declare the seam (a type, a callback) and let the other package implement it. A test that needs both belongs to the other package.',
  },
  {
    rule: 'retention-stands-alone',
    folder: /^packages\/retention$/,
    refuses: ({ test }) => (test ? undefined : 'retention is pure and imports nothing'),
    wayOut: 'Take what is needed as an argument.',
  },
  {
    rule: 'plugins-and-stores-know-only-types',
    folder: /^(plugins\/[^/]+|packages\/(spill|journal)-[^/]+)$/,
    refuses: ({ workspace, name, typeOnly, test }) => {
      if (test || !workspace || name === '@pawl/retention') return undefined
      if (name !== '@pawl/core' && name !== '@pawl/spill')
        return 'a plugin or store knows of this repository only the types of @pawl/core and @pawl/spill, and @pawl/retention'
      return typeOnly ? undefined : 'a plugin or store takes only types from @pawl/core and @pawl/spill'
    },
    wayOut:
      'Write `import type`, and get values through `exec` (`exec.fail`, `exec.succeed`, `exec.note`) or as an option of the factory.',
  },
  {
    rule: 'spill-builds-on-core',
    folder: /^packages\/spill$/,
    refuses: ({ workspace, name, test }) =>
      test || !workspace || name === '@pawl/core' || name === '@pawl/retention'
        ? undefined
        : 'spill is the contract that stores and the spill plugin depend on, not the other way round',
    wayOut: 'Move what both need into @pawl/spill.',
  },
]

/** The rules of the package in `folder`; undefined where only the general ones hold. */
export function layerOf(folder) {
  return layers.find((layer) => layer.folder.test(folder))
}
