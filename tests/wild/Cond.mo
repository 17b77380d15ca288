model Cond
  connector RealIn = input Real;
  connector RealOut = output Real;
  block Src RealOut y; equation y = sin(time); end Src;
  block Filter
    parameter Boolean useExternal = false;
    parameter Real default_ = 3;
    RealIn ext if useExternal;
    RealOut y;
    Real x(start = 0, fixed = true);
  protected
    RealIn inside;
    block Const RealOut y; parameter Real k; equation y = k; end Const;
    Const c(k = default_) if not useExternal;
  equation
    connect(ext, inside);
    connect(c.y, inside);
    der(x) = inside - x;
    y = x;
  end Filter;
  Src s;
  Filter a, b(useExternal = true);
equation
  connect(s.y, b.ext);
end Cond;
