document.body.textContent = 'A page of tests.';
