/** Node's compression, loaded when it is first used. It takes a twentieth of the time in which a function loads, and most calls need none. */
export const zlib = () => process.getBuiltinModule('node:zlib');
