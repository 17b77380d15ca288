within Modelica;
package Math "Functions of one and more numbers"
  function sin "sine"
    input Modelica.Units.SI.Angle u;
    output Real y;
  algorithm
    y := sin(u);
    annotation(Inline = true);
  end sin;

  function cos "cosine"
    input Modelica.Units.SI.Angle u;
    output Real y;
  algorithm
    y := cos(u);
    annotation(Inline = true);
  end cos;

  function tan "tangent"
    input Modelica.Units.SI.Angle u;
    output Real y;
  algorithm
    y := tan(u);
    annotation(Inline = true);
  end tan;

  function sinh "hyperbolic sine"
    input Real u;
    output Real y;
  algorithm
    y := sinh(u);
    annotation(Inline = true);
  end sinh;

  function cosh "hyperbolic cosine"
    input Real u;
    output Real y;
  algorithm
    y := cosh(u);
    annotation(Inline = true);
  end cosh;

  function tanh "hyperbolic tangent"
    input Real u;
    output Real y;
  algorithm
    y := tanh(u);
    annotation(Inline = true);
  end tanh;

  function exp "exponential"
    input Real u;
    output Real y;
  algorithm
    y := exp(u);
    annotation(Inline = true);
  end exp;

  function log "natural logarithm"
    input Real u;
    output Real y;
  algorithm
    y := log(u);
    annotation(Inline = true);
  end log;

  function log10 "logarithm to base 10"
    input Real u;
    output Real y;
  algorithm
    y := log10(u);
    annotation(Inline = true);
  end log10;

  function log2 "logarithm to base 2"
    input Real u;
    output Real y;
  algorithm
    y := log(u)/log(2);
    annotation(Inline = true);
  end log2;

  function asinh "inverse of sinh"
    input Real u;
    output Real y;
  algorithm
    y := if u >= 0 then log(u + sqrt(u*u + 1)) else -log(-u + sqrt(u*u + 1));
    annotation(Inline = true);
  end asinh;

  function acosh "inverse of cosh"
    input Real u;
    output Real y;
  algorithm
    y := log(u + sqrt(u*u - 1));
    annotation(Inline = true);
  end acosh;

  function sqrt "square root"
    input Real u;
    output Real y;
  algorithm
    y := sqrt(u);
    annotation(Inline = true);
  end sqrt;

  function asin "inverse of sine"
    input Real u;
    output Modelica.Units.SI.Angle y;
  algorithm
    y := asin(u);
    annotation(Inline = true);
  end asin;

  function acos "inverse of cosine"
    input Real u;
    output Modelica.Units.SI.Angle y;
  algorithm
    y := acos(u);
    annotation(Inline = true);
  end acos;

  function atan "inverse of tangent"
    input Real u;
    output Modelica.Units.SI.Angle y;
  algorithm
    y := atan(u);
    annotation(Inline = true);
  end atan;

  function atan2 "angle of the point (u2, u1), in (-pi, pi]"
    input Real u1;
    input Real u2;
    output Modelica.Units.SI.Angle y;
  algorithm
    y := atan2(u1, u2);
    annotation(Inline = true);
  end atan2;

  function atan3 "angle of the point (u2, u1) that is nearest to y0"
    input Real u1;
    input Real u2;
    input Modelica.Units.SI.Angle y0 = 0;
    output Modelica.Units.SI.Angle y;
  algorithm
    y := atan2(u1, u2);
    y := y + 2*Modelica.Constants.pi*floor((y0 - y)/(2*Modelica.Constants.pi) + 0.5);
    annotation(Inline = true);
  end atan3;

  function isEqual "are two numbers equal up to eps?"
    input Real s1;
    input Real s2;
    input Real eps = 0;
    output Boolean result;
  algorithm
    result := abs(s1 - s2) <= eps;
    annotation(Inline = true);
  end isEqual;

  function wrapAngle "the same angle in (-pi, pi], or in [0, 2 pi)"
    input Modelica.Units.SI.Angle u;
    input Boolean positiveRange = false;
    output Modelica.Units.SI.Angle y;
  algorithm
    y := mod(u, 2*Modelica.Constants.pi);
    if y > Modelica.Constants.pi and not positiveRange then
      y := y - 2*Modelica.Constants.pi;
    end if;
    annotation(Inline = true);
  end wrapAngle;

  package Vectors "Functions of vectors"
    function length "length of a vector"
      input Real v[:];
      output Real result;
    algorithm
      result := sqrt(v*v);
      annotation(Inline = true);
    end length;

    function norm "norm of a vector: p = 1 sum, 2 length, Modelica.Constants.inf largest"
      input Real v[:];
      input Real p = 2;
      output Real result;
    algorithm
      if p == 2 then
        result := sqrt(v*v);
      elseif p == 1 then
        result := sum(abs(v[i]) for i in 1:size(v, 1));
      elseif p >= Modelica.Constants.inf then
        result := max(abs(v[i]) for i in 1:size(v, 1));
      else
        result := sum(abs(v[i])^p for i in 1:size(v, 1))^(1/p);
      end if;
      annotation(Inline = true);
    end norm;

    function normalize "the vector of length 1 in the same direction; one shorter than eps is divided by eps"
      input Real v[:];
      input Real eps = 100*Modelica.Constants.eps;
      output Real result[size(v, 1)];
    algorithm
      result := if sqrt(v*v) >= eps then v/sqrt(v*v) else v/eps;
      annotation(Inline = true);
    end normalize;

    function normalizedWithAssert "the vector of length 1 in the same direction"
      input Real v[:];
      output Real result[size(v, 1)];
    algorithm
      result := v/sqrt(v*v);
      annotation(Inline = true);
    end normalizedWithAssert;

    function isEqual "are two vectors equal up to eps?"
      input Real v1[:];
      input Real v2[:];
      input Real eps = 0;
      output Boolean result;
    algorithm
      result := size(v1, 1) == size(v2, 1) and max(abs(v1[i] - v2[i]) for i in 1:size(v1, 1)) <= eps;
      annotation(Inline = true);
    end isEqual;

    function reverse "the elements in reverse order"
      input Real v[:];
      output Real result[size(v, 1)];
    algorithm
      result := {v[size(v, 1) + 1 - i] for i in 1:size(v, 1)};
      annotation(Inline = true);
    end reverse;

    function interpolate "value at xi of the broken line through the points (x, y), continued straight beyond its ends"
      input Real x[:];
      input Real y[size(x, 1)];
      input Real xi;
      output Real yi;
    algorithm
      yi := y[1] + (xi - x[1])*(y[2] - y[1])/(x[2] - x[1]);
      for i in 2:size(x, 1) - 1 loop
        yi := if xi < x[i] then yi else y[i] + (xi - x[i])*(y[i + 1] - y[i])/(x[i + 1] - x[i]);
      end for;
      annotation(Inline = true);
    end interpolate;
  end Vectors;

  package Matrices "Functions of small matrices"
    function solve "x with A*x = b, by elimination without exchange of rows: the leading minors of A must not vanish"
      input Real A[:, size(A, 1)];
      input Real b[size(A, 1)];
      output Real x[size(b, 1)];
    protected
      Integer n = size(A, 1);
      Real U[size(A, 1), size(A, 1)] = A;
      Real r[size(A, 1)] = b;
      Real f;
    algorithm
      for k in 1:n - 1 loop
        for i in k + 1:n loop
          f := U[i, k]/U[k, k];
          U[i, k + 1:n] := U[i, k + 1:n] - f*U[k, k + 1:n];
          r[i] := r[i] - f*r[k];
        end for;
      end for;
      for k in 0:n - 1 loop
        x[n - k] := (r[n - k] - sum(U[n - k, j]*x[j] for j in n - k + 1:n))/U[n - k, n - k];
      end for;
      annotation(Inline = true);
    end solve;

    function inv "the inverse of A, by elimination without exchange of rows: the leading minors of A must not vanish"
      input Real A[:, size(A, 1)];
      output Real invA[size(A, 1), size(A, 1)];
    algorithm
      for j in 1:size(A, 1) loop
        invA[:, j] := Modelica.Math.Matrices.solve(A, {if i == j then 1 else 0 for i in 1:size(A, 1)});
      end for;
      annotation(Inline = true);
    end inv;

    function det "the determinant of A, by elimination without exchange of rows: no leading minor may vanish"
      input Real A[:, size(A, 1)];
      output Real result;
    protected
      Integer n = size(A, 1);
      Real U[size(A, 1), size(A, 1)] = A;
    algorithm
      for k in 1:n - 1 loop
        for i in k + 1:n loop
          U[i, k + 1:n] := U[i, k + 1:n] - U[i, k]/U[k, k]*U[k, k + 1:n];
        end for;
      end for;
      result := product(U[i, i] for i in 1:n);
      annotation(Inline = true);
    end det;

    function trace "the sum of the diagonal"
      input Real A[:, size(A, 1)];
      output Real result;
    algorithm
      result := sum(A[i, i] for i in 1:size(A, 1));
      annotation(Inline = true);
    end trace;

    function frobeniusNorm "the root of the sum of all squares"
      input Real A[:, :];
      output Real result;
    algorithm
      result := sqrt(sum(A[i, j]^2 for i in 1:size(A, 1), j in 1:size(A, 2)));
      annotation(Inline = true);
    end frobeniusNorm;
  end Matrices;

  package Polynomials "Functions of polynomials, highest power first"
    function evaluate "value of p[1]*u^n + p[2]*u^(n - 1) + ... + p[n + 1]"
      input Real p[:];
      input Real u;
      output Real y;
    algorithm
      y := p[1];
      for j in 2:size(p, 1) loop
        y := p[j] + u*y;
      end for;
      annotation(Inline = true);
    end evaluate;

    function derivativeValue "slope of p[1]*u^n + p[2]*u^(n - 1) + ... + p[n + 1]"
      input Real p[:];
      input Real u;
      output Real y;
    algorithm
      y := 0;
      for j in 1:size(p, 1) - 1 loop
        y := (size(p, 1) - j)*p[j] + u*y;
      end for;
      annotation(Inline = true);
    end derivativeValue;
  end Polynomials;
end Math;
