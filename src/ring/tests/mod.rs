mod rational;
