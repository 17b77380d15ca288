within ;
package Parts "a package kept as a folder"
  constant Real k = 3;
end Parts;
