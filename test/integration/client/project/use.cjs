const take = process.argv[2] === 'require' ? async (name) => require(name) : (name) => import(name);
take('roomscribe/client').then(
  ({ Roomscribe }) =>
    console.log(typeof new Roomscribe({ apiUrl: 'https://example.com', token: 'x' }).transcriptions.list),
  (error) => console.log(error.code, error.message),
);
